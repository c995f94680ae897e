// Owns the writing of an invocation's report to where it is wanted, whole, and what it means where that fails.

import { EntailError } from "../core/error.ts";
import type { Desk } from "./desk.ts";
import { type Problem, problemOf } from "./problem.ts";
import type { ReportFile } from "./report-file.ts";
import { type InvocationReport, reportChunks } from "./report-parts.ts";

export interface ReportTargets {
  /** Of `--output`. */
  readonly file: ReportFile | undefined;
  readonly standardOutput: boolean;
  /** Files of other forms: `--junit`. */
  readonly others: readonly { readonly file: ReportFile; readonly chunks: (report: InvocationReport) => Iterable<string> }[];
}

/** Writes to all, and waits for whoever reads. Returns why it could not, where it could not. */
export async function writeReport(report: InvocationReport, { file, standardOutput, others }: ReportTargets, desk: Desk): Promise<Problem | undefined> {
  let problem: Problem | undefined;
  let [fileOpen, outputOpen] = [file !== undefined, standardOutput];
  const failed = (thrown: unknown): void => void (problem ??= problemOf(thrown, desk.cwd));
  if (fileOpen || outputOpen) for (const chunk of reportChunks(report)) {
    if (fileOpen) {
      try {
        file?.write(chunk);
      } catch (thrown) {
        fileOpen = false;
        file?.abandon();
        failed(thrown);
      }
    }
    if (outputOpen) {
      try {
        await desk.output.write(chunk);
      } catch (thrown) {
        outputOpen = false;
        // Who reads has enough, as `head` does: no mistake of anybody.
        if ((thrown as NodeJS.ErrnoException).code === "EPIPE") desk.view.note("standard output was closed before the whole report was written");
        else failed(new EntailError("output_unwritable", `the report cannot be written to standard output: ${(thrown as Error).message}`, { cause: thrown }));
      }
    }
    if (!fileOpen && !outputOpen) break;
  }
  try {
    if (fileOpen) file?.finish();
  } catch (thrown) {
    failed(thrown);
  }
  for (const other of others) {
    try {
      writeWhole(other.file, other.chunks(report));
    } catch (thrown) {
      failed(thrown);
    }
  }
  return problem;
}

/** Writes to all before it returns, for when nothing asynchronous will ever happen again. What cannot be written is lost. */
export function writeReportNow(report: InvocationReport, { file, standardOutput, others }: ReportTargets, desk: Desk): void {
  try {
    if (file !== undefined || standardOutput) for (const chunk of reportChunks(report)) {
      file?.write(chunk);
      if (standardOutput) desk.output.writeNow(chunk);
    }
    file?.finish();
  } catch {
    file?.abandon();
  }
  for (const other of others) {
    try {
      writeWhole(other.file, other.chunks(report));
    } catch {
      // Nobody is left to tell.
    }
  }
}

function writeWhole(file: ReportFile, chunks: Iterable<string>): void {
  try {
    for (const chunk of chunks) file.write(chunk);
    file.finish();
  } catch (thrown) {
    file.abandon();
    throw thrown;
  }
}
