// Owns the writing of a text to standard output: masked, and harmless to a terminal, line ends apart.

import type { Desk } from "../desk.ts";
import { printable } from "../terminal/printable.ts";

/** Whoever closed standard output is not told. */
export async function writeText(text: string, desk: Desk): Promise<void> {
  await desk.output.write(printable(desk.mask(text))).catch(() => {});
}
