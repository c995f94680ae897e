// Owns the problem: what the command says when it cannot go on, made from whatever was thrown. A sentence, a file, a place; no stack trace.

import { fileURLToPath } from "node:url";
import { type EntailError, isEntailError, messageOf } from "../core/error.ts";
import { isOwnFile } from "./own-package.ts";
import { displayPath } from "./path.ts";

export interface Problem {
  readonly code: string;
  /** One sentence without a full stop; a line more for each of several faults. */
  readonly message: string;
  /** Relative to the working folder, with `/`. */
  readonly file?: string;
  /** `evals/chat.eval.ts:12:5`, or in the author's terms `inputs.alarmInventory.user_id`. */
  readonly place?: string;
  /** For `--debug`. */
  readonly stack?: string;
}

const files = new WeakMap<object, string>();

/** The same error, which now names the file that it is about. */
export function inFile(error: EntailError, file: string): EntailError {
  files.set(error, file);
  return error;
}

/** The problem that `thrown` is. What is no `EntailError` got out of our own code: nobody foresaw it. */
export function problemOf(thrown: unknown, cwd: string): Problem {
  const known = isEntailError(thrown);
  const file = known ? files.get(thrown) : undefined;
  const cause = known ? thrown.cause : thrown;
  const place = (file === undefined ? undefined : placeOf(cause, cwd)) ?? (known && thrown.faults.length === 1 ? thrown.faults[0]?.place : undefined);
  const stack = stackOf(cause) ?? stackOf(thrown);
  return {
    code: known ? thrown.code : "unexpected",
    message: known ? thrown.message : `something unexpected broke: ${messageOf(thrown)} (run again with --debug to see where)`,
    ...(file === undefined ? {} : { file: displayPath(file, cwd) }),
    ...(place === undefined ? {} : { place }),
    ...(stack === undefined ? {} : { stack }),
  };
}

function stackOf(thrown: unknown): string | undefined {
  try {
    const stack: unknown = (thrown as Partial<Error> | null | undefined)?.stack;
    return typeof stack === "string" ? stack : undefined;
  } catch {
    return undefined;
  }
}

/** A frame is `at name (file:///a/b.ts:1:2)` or `at /a/b.ts:1:2`; a parser's error begins with `file:///a/b.ts:1`. */
const FRAME = /(?:^|\(|\s)((?:file:\/\/\/|\/|[A-Za-z]:[\\/])[^\s()]*?[^:\s()]):(\d+)(?::(\d+))?\)?$/;

/** Every file of the user's own that the stack names, the innermost first: not Node's, not ours, not an installed package's. */
export function userFrames(thrown: unknown): readonly { readonly file: string; readonly line: number; readonly column?: number }[] {
  return (stackOf(thrown) ?? "").split("\n").flatMap((line) => {
    const match = FRAME.exec(line);
    const address = match?.[1];
    if (match === null || address === undefined || /[\\/]node_modules[\\/]/.test(address)) return [];
    const file = pathOf(address);
    if (file === undefined || isOwnFile(file)) return [];
    return [{ file, line: Number(match[2]), ...(match[3] === undefined ? {} : { column: Number(match[3]) }) }];
  });
}

function pathOf(address: string): string | undefined {
  if (!address.startsWith("file:")) return address;
  try {
    return fileURLToPath(address);
  } catch {
    return undefined;
  }
}

function placeOf(thrown: unknown, cwd: string): string | undefined {
  const frame = userFrames(thrown)[0];
  if (frame === undefined) return undefined;
  return `${displayPath(frame.file, cwd)}:${frame.line}${frame.column === undefined ? "" : `:${frame.column}`}`;
}
