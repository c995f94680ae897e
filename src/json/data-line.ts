// Owns the one line in which texts of others reach a model: JSON whose only delimiters are JSON's own, so that none can break out of it.

// The line ends that JSON leaves as they are, and the sign that chat templates and wrapper tags start with.
const BREAKS_OUT = /[<\u007f-\u009f\u2028\u2029]/g;

/** One JSON object on one line. Parsing it gives the texts back, character for character; `<` and every kind of line end are escaped. */
export function dataLine(data: object): string {
  return JSON.stringify(data).replace(BREAKS_OUT, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
