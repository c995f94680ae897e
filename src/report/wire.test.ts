import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeReport, encodeReport } from "entail";
import { encodeReportParts, encodeReportPartsSync, totalsOf } from "entail/report";
import { EntailError, STAGES } from "../core/error.ts";
import type { JudgeAttempt } from "../core/judge.ts";
import { LABELS } from "../core/label.ts";
import { MODEL_CLASSES, STOP_REASONS, type ModelMessage, type ModelRequest, type ModelResponse, type Part } from "../core/model.ts";
import { OUTCOMES, VERDICTS } from "../core/outcome.ts";
import { CORRECTIONS, STABILITIES, type PassAt, type CalibrationReport, type CorrectedRateReport, type JudgedRate, type JudgeReport, type MeasurementReport, type RateEstimate, type Report, type ReportError, type ReportJudgment, type ReportResult, type ScenarioReport, type SplitUsage, type TrialReport, type TurnReport } from "../core/report.ts";
import type { JsonSchema } from "../core/schema.ts";
import { sameJson } from "../json/write-json.ts";
import { compileSchema } from "../schema/validator.ts";

const schema = compileSchema(JSON.parse(readFileSync(new URL("../../report.schema.json", import.meta.url), "utf8")) as JsonSchema);

/** A record whose members marked by `maybe` are now there and now not, and never `undefined`. */
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(value, { nil: undefined, freq: 3 });
const record = <Value extends object>(members: { readonly [Name in keyof Value]-?: fc.Arbitrary<Value[Name]> | fc.Arbitrary<Value[Name] | undefined> }): fc.Arbitrary<Value> =>
  fc.record(members as { [name: string]: fc.Arbitrary<unknown> }, { noNullPrototype: true }).map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as Value);
const list = <Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<readonly Item[]> => fc.array(item, { minLength: 1, maxLength: 2 });

// Text of every kind that an agent can leave: half pairs, NUL, quotes, line separators.
const text = fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom("\ud800", "a\udc00b", "\u0000", '"\\', "\u2028\r\n", "<script>&amp;", "\u{1f600}", "__proto__"));
const time = fc.constantFrom("2026-09-10T12:00:00.000000001Z", "2026-09-10T12:00:00Z", "2026-09-10T14:00:00+02:00");
const durationMs = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 24 * 86_400_000_000_000 })).map((nanoseconds) => nanoseconds / 1e6);
const count = fc.nat({ max: 1_000_000 });
const score = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const label = fc.constantFrom(...LABELS);
const anyJson = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const object = fc.dictionary(text, anyJson, { maxKeys: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

const error = record<ReportError>({ code: fc.constantFrom("hook_threw", "another_systems_code"), stage: fc.constantFrom(...STAGES), message: fc.oneof(text, fc.constant("")) });
const usageMembers = { inputTokens: maybe(count), outputTokens: maybe(count), reasoningTokens: maybe(count), cachedInputTokens: maybe(count), cost: maybe(score), requests: maybe(count), unknownRequests: maybe(count) };
const usage = record<NonNullable<SplitUsage["subject"]>>(usageMembers);
const splitUsage = record<SplitUsage>({ subject: maybe(usage), judge: maybe(usage) });

const part: fc.Arbitrary<Part> = fc.oneof(record<Part>({ type: fc.constant("text" as const), text }), record<Part>({ type: fc.constant("tool_call" as const), id: text, name: text, arguments: text }));
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  record<ModelMessage>({ role: fc.constantFrom("system", "user"), content: text }),
  record<ModelMessage>({ role: fc.constant("assistant"), content: list(part) }),
  record<ModelMessage>({ role: fc.constant("tool"), toolCallId: text, content: text }),
);
const request = record<ModelRequest>({
  modelClass: fc.constantFrom(...MODEL_CLASSES),
  messages: list(message),
  tools: list(record<ModelRequest["tools"][number]>({ name: text, description: text, inputSchema: object })),
  toolChoice: fc.oneof(fc.constantFrom("auto" as const, "none" as const), text.map((tool) => ({ tool }))),
  temperature: score,
  maxOutputTokens: count,
});
const response = record<ModelResponse>({ content: list(part), stopReason: fc.constantFrom(...STOP_REASONS), usage: maybe(usage), model: maybe(text), changedSettings: maybe(list(text)) });
const judgeAttempt = record<JudgeAttempt>({ durationMs, request: maybe(request), response: maybe(response), cause: maybe(text), usage: maybe(usage), model: maybe(text), member: maybe(count) });

const votes = maybe(list(record<NonNullable<ReportJudgment["votes"]>[number]>({ judge: text, label, rationale: text, quote: maybe(text) })));
const answer: fc.Arbitrary<ReportJudgment> = record<Omit<ReportJudgment, "passed">>({ claimId: text, label, rationale: text, expect: maybe(fc.constantFrom("contradicted", "not_addressed", "indeterminate" as const)), quote: maybe(text), votes }).map(
  (made) => ({ ...made, passed: made.label === (made.expect ?? "entailed") }),
);
// An output that is empty fails also the claim that expects to find nothing of it.
const judgment = fc.oneof({ arbitrary: answer, weight: 4 }, { arbitrary: answer.map((made): ReportJudgment => ({ ...made, label: "not_addressed", expect: "not_addressed", passed: false })), weight: 1 });
const scores = list(
  record<NonNullable<ScenarioReport["scores"]>[number]>({
    id: text,
    base: text,
    kind: fc.constantFrom("gate", "scorer"),
    turn: maybe(count),
    score: maybe(score),
    notScorable: maybe(text),
    threshold: maybe(score),
    thresholdMax: maybe(score),
    passed: maybe(fc.boolean()),
    reason: maybe(text),
    error: maybe(text),
  }),
);
const result = record<ReportResult>({
  checks: maybe(list(fc.oneof(record<{ name: string; passed: true }>({ name: text, passed: fc.constant(true as const) }), record<{ name: string; passed: false; diagnostic: string }>({ name: text, passed: fc.constant(false as const), diagnostic: text })))),
  claims: maybe(list(record<NonNullable<ReportResult["claims"]>[number]>({ id: text, text, expect: maybe(label), quote: maybe(fc.boolean()) }))),
  output: maybe(text),
  reference: maybe(text),
  artifacts: maybe(list(record<{ name: string; uri: string }>({ name: text, uri: text }))),
  scores: maybe(list(record<NonNullable<ReportResult["scores"]>[number]>({ id: text, score, threshold: maybe(score), reason: maybe(text) }))),
  usage: maybe(usage),
  metadata: maybe(object),
});
const turn = record<TurnReport>({
  turn: count,
  id: maybe(text),
  outcome: fc.constantFrom(...OUTCOMES, "not_reached"),
  durationMs: maybe(durationMs),
  input: maybe(anyJson),
  played: maybe(fc.boolean()),
  output: maybe(text),
  scores: maybe(scores),
  claims: maybe(list(record<NonNullable<ReportResult["claims"]>[number]>({ id: text, text, expect: maybe(label), quote: maybe(fc.boolean()) }))),
  reference: maybe(text),
  judgments: maybe(list(judgment)),
  toolCalls: maybe(count),
  startedMs: maybe(durationMs),
  confirmation: maybe(
    record<NonNullable<TurnReport["confirmation"]>>({
      toolCallId: maybe(text),
      toolName: text,
      title: maybe(text),
      prompt: maybe(text),
      state: fc.constantFrom("pending", "approved", "denied"),
      policy: maybe(fc.constantFrom("approve", "reject", "expect")),
    }),
  ),
  usage: maybe(usage),
  error: maybe(error),
});
const commonMembers = {
  durationMs,
  judging: maybe(list(judgeAttempt)),
  scores: maybe(scores),
  turns: maybe(list(turn)),
  usage: maybe(splitUsage),
  attempts: maybe(list(record<NonNullable<TrialReport["attempts"]>[number]>({ attempt: count, startedAt: maybe(time), durationMs, error }))),
  stdout: maybe(text),
};
/** What passed holds: each check and each claim of it. */
const holding = (made: object): object => {
  const { outcome, result, judgments } = made as { readonly outcome: string; readonly result: ReportResult; readonly judgments?: readonly ReportJudgment[] };
  if (outcome === "failed") return made;
  const { checks, claims, ...rest } = result;
  return {
    ...made,
    result: { ...rest, ...(checks !== undefined && { checks: checks.map(({ name }) => ({ name, passed: true })) }), ...(claims !== undefined && judgments !== undefined && { claims: claims.slice(0, judgments.length) }) },
    ...(judgments !== undefined && { judgments: judgments.map((each) => ({ ...each, label: each.expect ?? "entailed", passed: true })) }),
  };
};
/** The members by outcome, to which a trial adds its number and a scenario its name. */
const settled = (more: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc.oneof(
    record<object>({ ...more, ...commonMembers, outcome: fc.constantFrom("passed", "scored", "failed"), startedAt: time, result, judgments: maybe(list(judgment)) }).map(holding),
    record<object>({ ...more, ...commonMembers, outcome: fc.constantFrom("errored", "cancelled"), startedAt: maybe(time), result: maybe(result), error }),
    record<object>({ ...more, ...commonMembers, outcome: fc.constant("skipped"), error }),
  );
const trial = settled({ trial: count }) as fc.Arbitrary<TrialReport>;
const trialStop = record<NonNullable<NonNullable<ScenarioReport["trialCounts"]>["stopped"]>>({ rule: fc.constantFrom("sprt", "e_value"), asked: count, decision: fc.constantFrom("above", "below"), p0: score, p1: maybe(score), alpha: score, beta: maybe(score) });
const trialCounts = record<NonNullable<ScenarioReport["trialCounts"]>>({ passed: count, scored: count, failed: count, errored: count, cancelled: count, passRate: maybe(score), stability: maybe(fc.constantFrom(...STABILITIES)), stopped: maybe(trialStop) });
const scenario = settled({ id: text, tags: maybe(list(text)), trials: maybe(list(trial)), trialCounts: maybe(trialCounts), skip: maybe(text), knownFailure: maybe(text) }).map((made) => {
  const { outcome } = made as { readonly outcome: string };
  return { ...made, passed: outcome === "passed" || outcome === "scored" } as ScenarioReport;
});
const calibration = record<CalibrationReport>({ passed: fc.boolean(), durationMs, judgments: maybe(list(record<NonNullable<CalibrationReport["judgments"]>[number]>({ claimId: text, label, rationale: text, quote: maybe(text), votes }))), attempts: maybe(list(judgeAttempt)), error: maybe(error) });
const identityMembers = { modelClass: maybe(text), model: maybe(text), maxOutputTokens: maybe(count), maxCorrections: maybe(count), rawArguments: maybe(fc.boolean()), judgeEvidence: maybe(fc.boolean()), controls: maybe(fc.boolean()), fingerprint: maybe(text) };
const interval = fc.tuple(score, score).map(([a, b]): readonly [number, number] => [Math.min(a, b), Math.max(a, b)]);
const estimateMembers = { rate: score, interval };
const measurement: fc.Arbitrary<MeasurementReport> = fc.oneof(
  record<Extract<MeasurementReport, { measured: false }>>({ measured: fc.constant(false as const), reason: text }),
  record<Extract<MeasurementReport, { measured: true }>>({ measured: fc.constant(true as const), at: time, labels: count, accuracy: record<RateEstimate>(estimateMembers), kappa: maybe(score), ac1: maybe(score), humanKappa: maybe(score), flipRate: maybe(score) }),
);
const judgedRate = record<JudgedRate>({
  expect: label,
  labels: record<JudgedRate["labels"]>({ entailed: count, contradicted: count, not_addressed: count, indeterminate: count }),
  judged: count,
  passed: count,
  effective: score,
  raw: record<RateEstimate>(estimateMembers),
  bounds: interval,
  corrected: maybe(list(record<CorrectedRateReport>({ method: fc.constantFrom(...CORRECTIONS), ...estimateMembers, labels: count, warnings: maybe(list(text)) }))),
});
const judge = record<JudgeReport>({
  ...identityMembers,
  members: maybe(list(record<NonNullable<JudgeReport["members"]>[number]>(identityMembers))),
  calibration: maybe(calibration),
  measurement: maybe(measurement),
  rates: maybe(list(judgedRate)),
  compromised: maybe(count),
});
const trialSummary = record<NonNullable<Report["trials"]>>({
  stablePass: count,
  flaky: count,
  stableFail: count,
  unscored: count,
  passRate: maybe(record<NonNullable<NonNullable<Report["trials"]>["passRate"]>>({ ...estimateMembers, trials: count })),
  passAt: maybe(list(record<PassAt>({ k: count, passAtK: score, passHatK: score, passAtKError: maybe(score), passHatKError: maybe(score) }))),
});
const report: fc.Arbitrary<Report> = record<Omit<Report, "totals" | "passed">>({
  runId: maybe(text),
  suiteId: text,
  startedAt: time,
  durationMs,
  scenarios: fc.array(scenario, { maxLength: 3 }),
  error: maybe(error),
  verdict: maybe(fc.constantFrom(...VERDICTS)),
  strict: maybe(fc.constant(true as const)),
  variant: maybe(text),
  rejudgedFrom: maybe(text),
  trials: maybe(trialSummary),
  judge: maybe(judge),
  usage: maybe(splitUsage),
  warnings: maybe(list(record<NonNullable<Report["warnings"]>[number]>({ code: text, message: text, scenario: maybe(text) }))),
  hooksRunning: maybe(count),
}).map((made) => ({ ...made, passed: made.error === undefined && made.scenarios.length > 0 && made.scenarios.every((each) => each.passed), totals: totalsOf(made.scenarios) }));

test("a report read back from its text is the same report, whatever is in it, and has the published schema", () => {
  fc.assert(
    fc.property(report, fc.constantFrom(0, 2, 4), (made, indent) => {
      const written = encodeReport(made, { indent });
      expect(decodeReport(written)).toStrictEqual(made);
      expect(decodeReport(JSON.parse(written))).toStrictEqual(made);
      // The validator itself refuses such names, which metadata may hold.
      expect(schema.faults(JSON.parse(written)).filter((fault) => fault.message !== "has a name that holds half a surrogate pair")).toEqual([]);
      expect(written.isWellFormed()).toBe(true);
      expect(written.endsWith("}\n")).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("the text is what JSON.stringify makes of its value, with every indent", () => {
  fc.assert(
    fc.property(report, fc.constantFrom(0, 2, 4), (made, indent) => {
      const written = encodeReport(made, { indent });
      expect(written).toBe(`${JSON.stringify(JSON.parse(written), null, indent)}\n`);
    }),
    { numRuns: 50 },
  );
});

test("for Goa-AI's strict readers there are its members alone, in its order, and the zero time for what never started", () => {
  const members: Readonly<Record<string, readonly string[]>> = {
    report: ["suite_id", "started_at", "duration", "scenarios", "error", "passed"],
    scenario: ["id", "started_at", "duration", "result", "judgments", "error", "passed"],
    result: ["checks", "claims", "output", "reference", "artifacts"],
    check: ["name", "passed", "diagnostic"],
    claim: ["id", "text"],
    artifact: ["name", "uri"],
    judgment: ["claim_id", "label", "rationale"],
  };
  const inOrder = (kind: string, wire: object): void => expect(Object.keys(wire)).toEqual(members[kind]?.filter((name) => name in wire));
  type Wire = Record<string, never>;
  fc.assert(
    fc.property(report, (made) => {
      const wire = JSON.parse(encodeReport(made, { profile: "goa-ai" })) as Record<string, unknown>;
      expect(schema.faults(wire)).toEqual([]);
      inOrder("report", wire);
      for (const [at, each] of (wire["scenarios"] as Wire[]).entries()) {
        inOrder("scenario", each);
        expect(each["started_at"]).toBe(made.scenarios[at]?.startedAt ?? "0001-01-01T00:00:00Z");
        const { result: held = {}, judgments = [] } = each as { result?: { checks?: Wire[]; claims?: Wire[]; artifacts?: Wire[] }; judgments?: Wire[] };
        inOrder("result", held);
        for (const check of held.checks ?? []) inOrder("check", check);
        for (const claim of held.claims ?? []) inOrder("claim", claim);
        for (const artifact of held.artifacts ?? []) inOrder("artifact", artifact);
        for (const each of judgments) inOrder("judgment", each);
      }
      // What is read back of it says the same of each scenario, as far as Goa-AI can say it.
      const read = decodeReport(wire);
      expect(read.scenarios.map((each) => each.passed)).toEqual(made.scenarios.map((each) => each.passed));
      expect(sameJson(JSON.parse(encodeReport(read, { profile: "goa-ai" })), wire)).toBe(true);
    }),
    { numRuns: 100 },
  );
});

test("every name of ours on the wire is in snake_case; names within metadata, inputs and schemas are as they were given", () => {
  const names = (wire: unknown): readonly string[] => {
    if (Array.isArray(wire)) return wire.flatMap(names);
    if (typeof wire !== "object" || wire === null) return [];
    return Object.entries(wire).flatMap(([name, value]) => (["metadata", "input", "input_schema"].includes(name) ? [name] : [name, ...names(value)]));
  };
  fc.assert(
    fc.property(report, (made) => {
      expect(names(JSON.parse(encodeReport(made))).filter((name) => !/^[a-z]+[01]?(?:_[a-z]+)*$/.test(name))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

describe("a mask", () => {
  const secret = "sk-live-4242";
  const mask = (text: string): string => text.replaceAll(secret, "***");
  const said = `use ${secret} now`;

  test("takes a secret out of every text, names and opaque values included", () => {
    fc.assert(
      fc.property(report, (made) => {
        const filled = JSON.parse(encodeReport(made), (name, value: unknown) => (typeof value === "string" && !KEPT.has(name) ? said : value)) as unknown;
        const written = encodeReport(decodeReport(filled), { mask });
        expect(written).not.toContain(secret);
        expect(encodeReport(decodeReport(filled), { mask, profile: "goa-ai" })).not.toContain(secret);
      }),
      { numRuns: 30 },
    );
  });

  /** Words of closed sets, times, and what names a model or a run. */
  const KEPT = new Set(
    "started_at at outcome verdict label expect kind error_code error_stage stop_reason tool_choice type role run_id code model_class fingerprint stability rule decision method state policy".split(" "),
  );

  test("leaves the report itself as it was", () => {
    const made = decodeReport(minimal({ result: { output: said, metadata: { [said]: [said] } } }));
    const before = structuredClone(made);
    expect(encodeReport(made, { mask })).toContain('"use *** now": [');
    expect(made).toStrictEqual(before);
  });
});

function minimal(scenario: object = {}, head: object = {}): Record<string, unknown> {
  const scenarios = [{ id: "greeting", started_at: "2026-09-10T12:00:00Z", duration: 4, result: { checks: [{ name: "ok", passed: true }] }, passed: true, outcome: "passed", ...scenario }];
  const wire = { suite_id: "chat", started_at: "2026-09-10T12:00:00Z", duration: 5, scenarios, passed: true, schema_version: 1, ...head };
  const all: unknown = wire.scenarios;
  const outcomes = Array.isArray(all) ? all.map(({ outcome }: { readonly outcome: string }) => outcome) : [];
  const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
  const totals: Record<string, unknown> = { scenarios: outcomes.length, ...Object.fromEntries(["passed", "scored", "failed", "errored", "cancelled", "skipped"].map((each) => [each, count(each)])), errors: {} };
  return { ...wire, totals: Object.assign(totals, "totals" in head ? head.totals : {}) };
}

test("two names that the mask makes one are still two members", () => {
  const made = decodeReport(minimal({ result: { checks: [{ name: "ok", passed: true }], metadata: { "sk-one": 1, "sk-two": 2, "‹masked›": 3 } } }));
  const written = JSON.parse(encodeReport(made, { mask: (text) => text.replace(/sk-\w+/g, "‹masked›") })) as { scenarios: { result: { metadata: object } }[] };
  expect(written.scenarios[0]?.result.metadata).toEqual({ "‹masked›": 1, "‹masked›_": 2, "‹masked›__": 3 });
});

test("in parts, from a list or a stream, it is the same text, one part a scenario", async () => {
  const [made] = fc.sample(report, { seed: 7, numRuns: 1 }) as [Report];
  const scenarios = fc.sample(scenario, { seed: 7, numRuns: 5 });
  const whole = encodeReport({ ...made, scenarios });
  const parts = [...encodeReportPartsSync(made, scenarios)];
  expect(parts).toHaveLength(7);
  expect(parts.join("")).toBe(whole);
  async function* stream(): AsyncGenerator<ScenarioReport> {
    yield* scenarios;
  }
  const streamed: string[] = [];
  for await (const part of encodeReportParts(made, stream())) streamed.push(part);
  expect(streamed).toEqual(parts);
  const listed: string[] = [];
  for await (const part of encodeReportParts(made, scenarios)) listed.push(part);
  expect(listed).toEqual(parts);
});

test("a hundred thousand scenarios are written one at a time", () => {
  const head = decodeReport(minimal({}, { scenarios: [], passed: false }));
  const one = decodeReport(minimal()).scenarios[0] as ScenarioReport;
  let written = 0;
  let longest = 0;
  function* many(): Generator<ScenarioReport> {
    for (let at = 0; at < 100_000; at++) yield one;
  }
  for (const part of encodeReportPartsSync(head, many())) {
    written++;
    longest = Math.max(longest, part.length);
  }
  expect(written).toBe(100_002);
  expect(longest).toBeLessThan(1000);
});

test("NaN and the infinities never reach the text", () => {
  const made = decodeReport(minimal({ scores: [{ id: "s", base: "s", kind: "scorer", score: 0.5, threshold: 0.1 }] }));
  const scores = [{ id: "s", base: "s", kind: "scorer" as const, score: Number.NaN, threshold: Number.POSITIVE_INFINITY }];
  const written = encodeReport({ ...made, scenarios: made.scenarios.map((each) => ({ ...each, scores })) });
  expect(written).not.toMatch(/NaN|Infinity|null/);
  expect(decodeReport(written).scenarios[0]?.scores).toEqual([{ id: "s", base: "s", kind: "scorer" }]);
});

describe("a report that cannot be read says where and what", () => {
  const refusal = (given: unknown): string => {
    try {
      decodeReport(given);
    } catch (thrown) {
      if (thrown instanceof EntailError) return `${thrown.code}: ${thrown.message}`;
      throw thrown;
    }
    throw new Error("it was read");
  };
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  const error = { error: "x", error_code: "hook_threw", error_stage: "hook" };

  test.each([
    ["no JSON", "{", "not JSON: an object has no end (line 1, column 2, at the root)"],
    ["an empty text", "", "not JSON: the text is empty"],
    ["text cut off in line 3", '{\n  "suite_id": "chat",\n  "started_at": "20', "line 3, column 17, at started_at"],
    ["a list", "[]", "it must be an object"],
    ["null", null, "it must be an object"],
    ["undefined", undefined, "it must be an object"],
    ["a number", 1, "it must be an object"],
    ["a cycle", circular, "it is no plain JSON"],
    ["a throwing getter", { get suite_id(): never { throw new Error("no"); } }, "it is no plain JSON (no)"],
    ["no suite", minimal({}, { suite_id: undefined }), "suite_id is missing"],
    ["no scenarios", minimal({}, { scenarios: undefined }), "scenarios is missing"],
    ["scenarios that are no list", minimal({}, { scenarios: {} }), "scenarios must be a list"],
    ["a later version", minimal({}, { schema_version: 2 }), "schema_version is 2, and this version of Entail reads 1; update Entail"],
    ["several reports in one", { schema_version: 1, passed: true, reports: [] }, "it holds several reports"],
    ["a time that is none", minimal({}, { started_at: "yesterday" }), "started_at must be a time as RFC 3339 writes it"],
    ["half a nanosecond", minimal({ duration: 0.5 }), "scenarios[0].duration must be a whole number of nanoseconds"],
    ["a word that is no outcome", minimal({ outcome: "ok" }), "scenarios[0].outcome must be one of passed, scored, failed, errored, cancelled, skipped"],
    ["a check without a name", minimal({ result: { checks: [{ passed: true }] } }), "scenarios[0].result.checks[0].name is missing"],
    ["a passed check with a diagnostic", minimal({ result: { checks: [{ name: "a", passed: true, diagnostic: "no" }] } }), "scenarios[0].result.checks[0].diagnostic must not be there: the check passed"],
    ["a label that is none", minimal({ judgments: [{ claim_id: "a", label: "maybe", rationale: "r", passed: true }] }), "scenarios[0].judgments[0].label must be one of entailed, contradicted, not_addressed, indeterminate"],
    ["a judgment that passes by no label", minimal({ judgments: [{ claim_id: "a", label: "contradicted", rationale: "r", passed: true }] }), "scenarios[0].judgments[0].passed must be false: the label is contradicted and entailed passes"],
    ["a pass without a result", minimal({ result: undefined }), "scenarios[0].result is missing: the outcome is passed"],
    ["a pass that never started", minimal({ started_at: "0001-01-01T00:00:00Z" }), "scenarios[0].started_at is missing: the outcome is passed"],
    ["a pass with an error", minimal(error), "scenarios[0].error_code must not be there: the outcome is passed"],
    ["an error without its code", minimal({ outcome: "errored", passed: false }), "scenarios[0].error_code is missing: the outcome is errored"],
    ["an error with judgments", minimal({ ...error, outcome: "errored", passed: false, judgments: [{ claim_id: "a", label: "entailed", rationale: "r" }] }), "scenarios[0].judgments must not be there"],
    ["a skipped scenario with a result", minimal({ ...error, outcome: "skipped", passed: false, started_at: "0001-01-01T00:00:00Z" }), "scenarios[0].result must not be there: the outcome is skipped"],
    ["a failure that passes", minimal({ outcome: "failed" }), "scenarios[0].passed must be false: the scenario is failed"],
    ["a pass with a check that failed", minimal({ result: { checks: [{ name: "a", passed: true }, { name: "b", passed: false, diagnostic: "no" }] } }), "scenarios[0].result.checks[1] must have passed: the outcome is passed"],
    ["a pass with a claim that failed", minimal({ judgments: [{ claim_id: "a", label: "contradicted", rationale: "r", passed: false }] }), "scenarios[0].judgments[0] must pass: the outcome is passed"],
    ["a pass with a claim that nobody judged", minimal({ result: { claims: [{ id: "a", text: "t" }] } }), "scenarios[0].judgments must answer every claim: the outcome is passed"],
    ["a trial that passes and has a check that failed", minimal({ trials: [{ trial: 1, started_at: "2026-09-10T12:00:00Z", duration: 4, outcome: "passed", result: { checks: [{ name: "a", passed: false, diagnostic: "no" }] } }] }), "scenarios[0].trials[0].result.checks[0] must have passed: the outcome is passed"],
    ["a report that passes over a scenario that did not", minimal({ outcome: "failed", passed: false }), "passed must be false: scenarios[0] did not pass"],
    ["a report that passes without a scenario", minimal({}, { scenarios: [] }), "passed must be false: no scenario ran"],
    ["an error that passes", minimal({}, error), "passed must be false: there is an error"],
    ["totals of scenarios that are not there", minimal({}, { totals: { scenarios: 2, passed: 2 } }), "totals.scenarios is 2, and the scenarios come to 1"],
    ["totals that turn a failure into a pass", minimal({ outcome: "failed", passed: false, result: { checks: [{ name: "ok", passed: false, diagnostic: "no" }] } }, { passed: false, totals: { passed: 1, failed: 0 } }), "totals.passed is 1, and the scenarios come to 0"],
    ["a duration below nothing", minimal({ duration: -1 }), "scenarios[0].duration must be a whole number of nanoseconds, 0 or more"],
    ["metadata that is a list", minimal({ result: { metadata: [1] } }), "scenarios[0].result.metadata must be an object"],
  ])("%s", (_what, given, says) => {
    expect(refusal(given)).toContain("report_unreadable: the report cannot be read: ");
    expect(refusal(given)).toContain(says);
  });

  test("and whatever is given, it is read or refused by an EntailError", () => {
    const outcome = (given: unknown): string => {
      try {
        return typeof decodeReport(given);
      } catch (thrown) {
        return thrown instanceof EntailError ? thrown.code : String(thrown);
      }
    };
    fc.assert(
      fc.property(fc.oneof(fc.anything({ withBigInt: true, withNullPrototype: true }), fc.string(), report.chain((made) => changed(JSON.parse(encodeReport(made))))), (given) => {
        expect(["object", "report_unreadable"]).toContain(outcome(given));
      }),
    );
  });
});

/** A wire report with one of its values replaced. */
function changed(wire: unknown): fc.Arbitrary<unknown> {
  let values = 0;
  JSON.parse(JSON.stringify(wire), (_name, value: unknown) => (values++, value));
  return fc.tuple(fc.nat({ max: values - 1 }), fc.constantFrom<unknown>(null, 1, -1, 0.5, "x", true, [], {}, [null], { a: 1 })).map(([target, other]) => {
    let at = 0;
    return JSON.parse(JSON.stringify(wire), (_name, value: unknown) => (at++ === target ? other : value)) as unknown;
  });
}

test("a byte order mark before the text is passed over, and so is a member that a later version adds", () => {
  expect(decodeReport(`\uFEFF${JSON.stringify(minimal({ invented: 1 }, { invented: { more: [] } }))}`)).toStrictEqual(decodeReport(minimal()));
});

test("a claim that expects not_addressed and met an empty output is read back as it is: failed", () => {
  const wire = minimal({ outcome: "failed", passed: false, result: { claims: [{ id: "a", text: "t", expect: "not_addressed" }] }, judgments: [{ claim_id: "a", label: "not_addressed", rationale: "r", passed: false, expect: "not_addressed" }] }, { passed: false });
  expect(decodeReport(wire).scenarios[0]).toMatchObject({ outcome: "failed", judgments: [{ label: "not_addressed", expect: "not_addressed", passed: false }] });
  expect(decodeReport(encodeReport(decodeReport(wire)))).toStrictEqual(decodeReport(wire));
});

test("a report of several trials is read though the one that decides did not pass, and one whose author skips a scenario", () => {
  const trial = (more: object): object => ({ trial: 1, started_at: "2026-09-10T12:00:00Z", duration: 4, outcome: "passed", result: { checks: [{ name: "a", passed: true }] }, ...more });
  const failed = { result: { checks: [{ name: "a", passed: false, diagnostic: "no" }] } };
  expect(decodeReport(minimal({ ...failed, trials: [trial({ ...failed, outcome: "failed" }), trial({ trial: 2 })] })).passed).toBe(true);
  const [ran] = minimal()["scenarios"] as object[];
  expect(decodeReport(minimal({}, { scenarios: [ran, { id: "later", started_at: "0001-01-01T00:00:00Z", duration: 0, passed: false, outcome: "skipped", error: "later", error_code: "scenario_skipped", error_stage: "selection", skip: "later" }] })).passed).toBe(true);
});
