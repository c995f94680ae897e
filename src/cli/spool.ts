// Owns the scenarios of a run until its report is written: in memory while they are few, else in a file that nobody else sees.

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScenarioReport } from "../core/report.ts";
import type { Sink } from "../run/plan.ts";

export interface Spool {
  readonly sink: Sink;
  /** The one at a position, where it has finished. */
  readonly scenario: (position: number) => ScenarioReport | undefined;
  /** In the order of the selection, whatever order they came in. */
  readonly scenarios: () => Iterable<ScenarioReport>;
  readonly close: () => void;
}

/** What is kept in memory before it goes to the file. */
const MEMORY_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

interface Place {
  readonly at: number;
  readonly length: number;
}

export function createSpool(): Spool {
  const places: Place[] = [];
  /** Texts that are not in the file yet, by their place. */
  let pending: string[] = [];
  let pendingBytes = 0;
  let written = 0;
  let file: { readonly handle: number; readonly remove: () => void } | undefined;
  let limit = MEMORY_BYTES;
  let broken = false;

  const flush = (): void => {
    if (broken) return;
    try {
      file ??= openUnseen();
      written += writeWhole(file.handle, Buffer.from(pending.join("")), written);
      [pending, pendingBytes, limit] = [[], 0, CHUNK_BYTES];
    } catch {
      // No room on the disk: what is not in the file stays in memory.
      broken = true;
    }
  };

  const read = ({ at, length }: Place, waiting: Buffer): string => {
    if (at >= written) return waiting.toString("utf8", at - written, at - written + length);
    const bytes = Buffer.allocUnsafe(length);
    const handle = file?.handle ?? -1;
    for (let got = 0; got < length; ) {
      const more = readSync(handle, bytes, got, length - got, at + got);
      if (more === 0) throw new Error("the spooled scenarios are gone");
      got += more;
    }
    return bytes.toString("utf8");
  };

  return {
    sink: {
      scenarioFinished(position, report) {
        const text = JSON.stringify(report);
        const length = Buffer.byteLength(text);
        places[position] = { at: written + pendingBytes, length };
        pending.push(text);
        pendingBytes += length;
        if (pendingBytes > limit) flush();
      },
    },
    scenario(position) {
      const place = places[position];
      return place === undefined ? undefined : (JSON.parse(read(place, Buffer.from(pending.join("")))) as ScenarioReport);
    },
    *scenarios() {
      const waiting = Buffer.from(pending.join(""));
      for (const place of places) {
        if (place !== undefined) yield JSON.parse(read(place, waiting)) as ScenarioReport;
      }
    },
    close() {
      if (file === undefined) return;
      closeSync(file.handle);
      file.remove();
      file = undefined;
    },
  };
}

/** A file without a name where the system allows it, so that nothing is left whatever ends the process. */
function openUnseen(): { readonly handle: number; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "entail-"));
  const handle = openSync(join(folder, "scenarios"), "wx+", 0o600);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (process.platform === "win32") return { handle, remove };
  remove();
  return { handle, remove: () => {} };
}

function writeWhole(handle: number, bytes: Buffer, at: number): number {
  let done = 0;
  while (done < bytes.length) done += writeSync(handle, bytes, done, bytes.length - done, at + done);
  return bytes.length;
}
