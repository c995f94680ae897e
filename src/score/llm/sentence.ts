// Owns the cutting of a text into sentences, by code alone.

/** The sentences and lines of a text, in order, none of them blank. A text that is not blank has at least one. */
export function sentencesOf(text: string): readonly string[] {
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  // The end of a line is the end of a sentence to it.
  return Array.from(segmenter.segment(text), ({ segment }) => segment.trim()).filter((sentence) => sentence !== "");
}
