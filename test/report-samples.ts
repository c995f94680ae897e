// Owns reports to write in every form: plain ones, and ones whose every text is hostile.
import * as fc from "fast-check";
import type { Outcome, Report, ReportHead, ScenarioReport } from "entail";
import { totalsOf } from "entail/report";

const STARTED = "2026-11-30T10:00:00.000Z";

/** A scenario that came to `outcome`, with the texts given. */
export function sample(id: string, outcome: Outcome = "passed", text = "wrong answer", output = "An answer."): ScenarioReport {
  const common = { id, durationMs: 12.5 } as const;
  switch (outcome) {
    case "passed":
      return { ...common, outcome, passed: true, startedAt: STARTED, result: { checks: [{ name: "right", passed: true }], output } };
    case "scored":
      return { ...common, outcome, passed: true, startedAt: STARTED, result: { output }, scores: [{ id: "similarity", base: "similarity", kind: "scorer", score: 0.2, threshold: 0.5, passed: false, reason: text }] };
    case "failed":
      return {
        ...common, outcome, passed: false, startedAt: STARTED,
        result: { checks: [{ name: "right", passed: false, diagnostic: text }], claims: [{ id: "complete", text }], output },
        judgments: [{ claimId: "complete", label: "contradicted", rationale: text, quote: text, passed: false }],
      };
    case "errored":
      return { ...common, outcome, passed: false, startedAt: STARTED, error: { code: "hook_threw", stage: "hook", message: text } };
    case "cancelled":
      return { ...common, outcome, passed: false, error: { code: "cancelled", stage: "selection", message: text } };
    case "skipped":
      return { ...common, outcome, passed: false, error: { code: "scenario_skipped", stage: "selection", message: text }, skip: text };
    default:
      return outcome satisfies never;
  }
}

/** A report of those scenarios; it passed where nothing in it speaks against it. */
export function reportOf(scenarios: readonly ScenarioReport[], more: Partial<ReportHead> = {}): Report {
  const totals = totalsOf(scenarios);
  const strict = more.strict === true;
  const reports = scenarios.map((scenario) => (strict && scenario.outcome === "scored" ? { ...scenario, passed: false } : scenario));
  const passed = more.error === undefined && totals.passed + totals.scored > 0 && totals.failed + totals.errored + totals.cancelled === 0 && (!strict || totals.scored === 0);
  return { runId: "0193a000-0000-7000-8000-000000000000", suiteId: "chat", startedAt: STARTED, durationMs: 1250, passed, totals, ...more, scenarios: reports };
}

/** Texts that try to be something else in one form or another. */
export const HOSTILE: readonly string[] = [
  "\u001b[2J\u0000\b\u000b\uffff bell\u0007", "lone \ud83d half", "\ude00 tail", "tab\tname & <more> \"q\"", "]]></failure><testcase name=\"forged\"/>", "<!-- --> <script>alert(1)</script>", "a|b", "a\\|b", "a\\", "`x|y`",
  "line1\nline2\r\nline3", "<details>", "@team ![](http://tracker.test/p.png)", "[x](javascript:alert(1)) https://evil.test www.evil.test a@evil.test", "=HYPERLINK(\"http://evil.test\",\"x\")", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\u200b=1+1",
  "\ufeff=1+1", " =1+1", "\u00a0@x", "\uff1d1+1", "::error::forged", "%0A::error::x", "##[add-mask]x", "```\nend", "~~~\nend", "# heading\n- list\n1. one\n> quote\n---", "\u202eelif\u2066", "\u{e0041}tag", "\u2028\u2029", "#123 GH-1 owner/repo#1", ":smile: $x^2$", "&lt;b&gt; &#64;", "- item", "1. one", "2) two", "+ plus",
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ minLength: 1, maxLength: 2, unit: "binary" })), maxLength: 4 }));

export const hostileReport: fc.Arbitrary<Report> = fc
  .tuple(
    fc.array(fc.tuple(hostileText, fc.constantFrom<Outcome>("passed", "scored", "failed", "errored", "cancelled", "skipped"), hostileText, hostileText), { maxLength: 6 }),
    fc.record({ suiteId: hostileText, strict: fc.boolean(), error: fc.option(hostileText, { nil: undefined }), warning: hostileText }),
  )
  .map(([scenarios, { suiteId, strict, error, warning }]) =>
    reportOf(scenarios.map(([id, outcome, text, output]) => sample(id, outcome, text, output)), {
      suiteId,
      ...(strict && { strict }),
      ...(error !== undefined && { error: { code: "cancelled", stage: "hook", message: error } }),
      warnings: [{ code: "late_rejection", message: warning }],
    }),
  );

/** The whole text that a form's parts make. */
export async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of parts) text += part;
  return text;
}
