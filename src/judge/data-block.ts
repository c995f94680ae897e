// Owns the data block: the one place of a judge's request where output and reference stand, and out of which neither can break.

// The line ends that JSON leaves as they are, and the sign that chat templates and wrapper tags start with.
const BREAKS_OUT = /[<\u007f-\u009f\u2028\u2029]/g;

/**
 * One JSON object on one line, `reference` left out where it is empty. Parsing it gives both texts back, character for character.
 * Its only delimiters are JSON's own, which JSON escapes inside a text; so are `<` and every kind of line end, for models and
 * templates that give them a meaning of their own.
 */
export function dataBlock(output: string, reference: string): string {
  const data = reference === "" ? { output } : { output, reference };
  return JSON.stringify(data).replace(BREAKS_OUT, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
