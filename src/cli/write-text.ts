// Owns the writing of a text that was asked for, in parts, to a file or to standard output.

import { resolve } from "node:path";
import type { Desk } from "./desk.ts";
import { openReportFile } from "./report-file.ts";

/** Larger than what a pipe holds, smaller than what anybody minds. */
const CHUNK = 64 * 1024;

/** Throws `output_unwritable` for a file; whoever closes standard output has enough. */
export async function writeText(parts: AsyncIterable<string> | Iterable<string>, file: string | undefined, desk: Desk): Promise<void> {
  desk.view.rest();
  const opened = file === undefined ? undefined : openReportFile(resolve(desk.cwd, file), file);
  const write = async (text: string): Promise<void> => {
    if (opened === undefined) await desk.output.write(text);
    else opened.write(text);
  };
  try {
    let chunk = "";
    for await (const part of parts) {
      chunk += part;
      if (chunk.length < CHUNK) continue;
      await write(chunk);
      chunk = "";
    }
    if (chunk !== "") await write(chunk);
    opened?.finish();
  } catch (thrown) {
    opened?.abandon();
    if (opened === undefined && (thrown as NodeJS.ErrnoException).code === "EPIPE") return;
    throw thrown;
  }
}
