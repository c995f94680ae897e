// Owns standard output: it belongs to the report. What user code writes to it goes elsewhere, and is kept for the trial that wrote it.

import { writeSync } from "node:fs";
import { currentTrial } from "../../core/current-trial.ts";

export interface StandardOutput {
  /** Resolves once the text was taken by whoever reads; rejects with Node's own error (`EPIPE`, `ENOSPC` …). */
  write(text: string): Promise<void>;
  /** Writes before it returns; what cannot be written is lost. */
  readonly writeNow: (text: string) => void;
  readonly isTerminal: boolean;
}

/** Takes it over for the rest of the process. */
export function takeStandardOutput(passOn: (text: string) => void): StandardOutput {
  const stream = process.stdout;
  const write = stream.write.bind(stream);
  // What a failed write means is told by its callback; without a listener the same error would end the process.
  stream.on("error", () => {});

  const userWrite = (chunk: unknown, encoding?: unknown, done?: unknown): boolean => {
    const text = typeof chunk === "string" ? chunk : chunk instanceof Uint8Array ? Buffer.from(chunk).toString("utf8") : "";
    if (text !== "") {
      currentTrial()?.print(text);
      passOn(text);
    }
    const callback = typeof encoding === "function" ? encoding : done;
    if (typeof callback === "function") process.nextTick(callback);
    return true;
  };
  stream.write = userWrite;
  stream.end = ((...args: readonly unknown[]) => {
    if (args.length > 0 && typeof args[0] !== "function") userWrite(args[0]);
    return stream;
  });

  return {
    isTerminal: stream.isTTY,
    writeNow(text) {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) {
        try {
          done += writeSync(1, bytes, done);
        } catch (thrown) {
          // A pipe that is full for now.
          if ((thrown as NodeJS.ErrnoException).code !== "EAGAIN") return;
        }
      }
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        write(text, (error) => (error === null || error === undefined ? resolve() : reject(error)));
      }),
  };
}
