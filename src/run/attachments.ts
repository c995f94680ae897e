// Owns what a hook attaches on its way: it is kept when the hook does not get to its end, and partly when it does.

import type { Evidence } from "../core/evidence.ts";
import { freezeDeep } from "../core/freeze-deep.ts";
import { type ReadResult, readPartialResult } from "../core/read-result.ts";
import type { ReportResult } from "../core/report.ts";

export interface Attachments {
  /** Appends lists, replaces single members. Throws the first fault of what it is given. Once closed it does nothing. */
  readonly attach: (partial: unknown) => void;
  /** What was attached so far; `result` is absent where it would be empty. */
  kept(): { readonly result?: ReportResult; readonly evidence?: Evidence };
  /** What the hook returned, with the attached artifacts and evidence that it does not name itself. */
  completed(returned: ReadResult): ReadResult;
  close(): void;
}

const LISTS = ["checks", "claims", "artifacts", "scores"] as const;

export function createAttachments(): Attachments {
  let result: ReportResult = {};
  let evidence: Evidence | undefined;
  let closed = false;
  return {
    attach(partial) {
      if (closed) return;
      const read = readPartialResult(partial);
      const merged: Record<string, unknown> = { ...result, ...read.result };
      for (const member of LISTS) {
        const before = result[member];
        if (before !== undefined) merged[member] = [...before, ...(read.result[member] ?? [])];
      }
      result = merged;
      evidence = read.evidence ?? evidence;
    },
    kept: () => ({
      ...(Object.keys(result).length > 0 && { result: freezeDeep({ ...result }) }),
      ...(evidence !== undefined && { evidence }),
    }),
    completed(returned) {
      const named = new Set(returned.result.artifacts?.map(({ name }) => name));
      const added = (result.artifacts ?? []).filter(({ name }) => !named.has(name) && named.add(name));
      const whole = returned.evidence ?? evidence;
      return {
        result: added.length === 0 ? returned.result : freezeDeep({ ...returned.result, artifacts: [...added, ...(returned.result.artifacts ?? [])] }),
        ...(whole !== undefined && { evidence: whole }),
      };
    },
    close() {
      closed = true;
    },
  };
}
