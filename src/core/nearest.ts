// Owns the "did you mean": the known word that lies nearest to a misspelt one.

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
    }
    previous = row;
  }
  return previous[b.length] ?? a.length;
}

/** The word of `known` nearest to `text` in edits, or `undefined` where none is near enough to be meant. */
export function nearest(text: string, known: Iterable<string>): string | undefined {
  if (text.length > 200) return undefined;
  let best: string | undefined;
  // A word that shares nothing with the text is not what was meant, however short both are.
  let bestDistance = Math.min(text.length, Math.max(2, Math.floor(text.length / 3)) + 1);
  for (const word of known) {
    if (Math.abs(word.length - text.length) >= bestDistance) continue;
    const distance = editDistance(text.toLowerCase(), word.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [word, distance];
  }
  return best;
}

/** `; did you mean "x"?`, or nothing. For the end of an error's sentence. */
export function didYouMean(text: string, known: Iterable<string>): string {
  const word = nearest(text, known);
  return word === undefined ? "" : `; did you mean ${JSON.stringify(word)}?`;
}
