// Owns what a trial consumed, apart for the agent under test and for the judge.

import type { Evidence } from "../core/evidence.ts";
import type { JudgeAttempt } from "../core/judge.ts";
import { countMember } from "../core/member.ts";
import { readUsage } from "../core/read-result.ts";
import type { ReportResult, SplitUsage } from "../core/report.ts";
import { addUsage, type Usage } from "../core/usage.ts";

/** What the hook says, else what its evidence says. */
export function subjectUsage(result: ReportResult | undefined, evidence: Evidence | undefined): Usage | undefined {
  if (result?.usage !== undefined) return result.usage;
  try {
    return readUsage(evidence?.usage, "evidence.usage");
  } catch {
    // Hand-made evidence whose usage is none: unknown, which is never zero.
    return undefined;
  }
}

/** The sum over a judge's requests; those that came back without a usage are counted and left out. */
export function judgeUsage(attempts: readonly JudgeAttempt[]): Usage | undefined {
  if (attempts.length === 0) return undefined;
  let unknownRequests = 0;
  let requests = 0;
  const usages = attempts.map(({ usage }) => {
    const known = knownUsage(usage);
    requests += requestsOf(usage);
    if (known === undefined) unknownRequests += 1;
    return known;
  });
  return addUsage(...usages, { requests, ...(unknownRequests > 0 && { unknownRequests }) });
}

/** A limit that asked several times for one answer says so. */
function requestsOf(usage: unknown): number {
  return Math.max(1, countMember(usage, "requests") ?? 1);
}

/** Of one answer; its own count of requests is taken apart. */
function knownUsage(usage: unknown): Usage | undefined {
  try {
    const { requests: _requests, unknownRequests: _unknown, ...rest } = readUsage(usage, "usage") ?? {};
    return Object.keys(rest).length === 0 ? undefined : rest;
  } catch {
    return undefined;
  }
}

/** `undefined` where neither is known. */
export function splitUsage(subject: Usage | undefined, judge: Usage | undefined): SplitUsage | undefined {
  if (subject === undefined && judge === undefined) return undefined;
  return Object.freeze({ ...(subject !== undefined && { subject }), ...(judge !== undefined && { judge }) });
}
