// Owns the question whether Node refused to read a file, or read it and then ran into an error of the file's own.

import { userFrames } from "../problem.ts";

const REFUSED = new Set(["ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX", "ERR_INVALID_TYPESCRIPT_SYNTAX", "ERR_UNKNOWN_FILE_EXTENSION", "ERR_MODULE_NOT_FOUND", "ERR_UNSUPPORTED_DIR_IMPORT", "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING"]);

/** What CommonJS gives to every file and Node's modules do not. */
const COMMONJS_WORD = /^(?:require|module|exports|__filename|__dirname) is not defined in ES module scope/;

/**
 * True where Node could not read the file or something that it imports, so that another loader may try. False where code of the file
 * ran and threw: a second try would run it twice. Needs a stack with more than its usual ten frames.
 */
export function isRefusal(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if (thrown instanceof ReferenceError) return COMMONJS_WORD.test(thrown.message);
  const { code } = thrown as NodeJS.ErrnoException;
  const refused = code === undefined ? isParserError(thrown) : REFUSED.has(code);
  return refused && !ranCode(thrown);
}

/** A name that a module does not export is a mistake of its own, and the other loaders would make `undefined` of it. */
function isParserError(error: Error): boolean {
  return error instanceof SyntaxError && !error.message.includes("does not provide an export named");
}

/** A parser's error begins with the place in the file; a frame below it is code that was running. */
function ranCode(error: Error): boolean {
  const body = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return userFrames({ stack: body.join("\n") }).length > 0;
}
