// Owns the spill file: where results go that the store cannot take. Each line is whole or it is the last.

import { randomUUID } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { messageOf } from "../core/error.ts";
import { SPILL_OPENING, toLine, type Write } from "./spill-line.ts";

export interface Spill {
  /** Throws where no file can be written; what it was given is then in none. */
  readonly append: (write: Write) => void;
  /** The files that were written, the one in use last. */
  readonly files: () => readonly string[];
  readonly close: () => void;
}

/** Beside the database, and where that is impossible among the temporary files of the system. */
export function createSpill(database: string): Spill {
  const name = `${basename(database)}.spill-${randomUUID().slice(0, 8)}.jsonl`;
  const folders = [...new Set([dirname(database), tmpdir()])];
  const files: string[] = [];
  let handle: number | undefined;

  const openNext = (): number => {
    let fault: unknown = new Error("there is no folder left");
    while (folders.length > 0) {
      const file = join(folders.shift() ?? "", name);
      try {
        const opened = openSync(file, "ax", 0o600);
        writeWhole(opened, `${SPILL_OPENING}\n`);
        files.push(file);
        return opened;
      } catch (thrown) {
        fault = thrown;
      }
    }
    throw new Error(`no spill file can be written: ${messageOf(fault)}`, { cause: fault });
  };

  return {
    append(write) {
      const line = `${toLine(write)}\n`;
      for (;;) {
        handle ??= openNext();
        try {
          writeWhole(handle, line);
          return;
        } catch {
          // Its last line is cut; the whole of it goes into another file.
          closeSync(handle);
          handle = undefined;
        }
      }
    },
    files: () => files,
    close() {
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
    },
  };
}

function writeWhole(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    const written = writeSync(handle, bytes, done);
    if (written === 0) throw new Error("nothing more can be written");
    done += written;
  }
}
