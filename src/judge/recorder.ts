// Owns the guard around a recorder of attempts: one that breaks must not cost a judgment.

import type { JudgeAttempt, JudgeRequest } from "../core/judge.ts";

/** `record` as a function that can always be called and never throws, nor leaves a rejection behind. */
export function recorder(record: JudgeRequest["record"]): (attempt: JudgeAttempt) => void {
  return (attempt) => {
    try {
      const written: unknown = record?.(attempt);
      if (written instanceof Promise) written.catch(() => undefined);
    } catch {
      // The record is lost; the judgment is not.
    }
  };
}
