// Owns the baseline: a blessed run as a file of the repository keeps it, the same bytes for the same run.

import type { Baseline, ComparableCheck, ComparableClaim, ComparableJudge, ComparableRun, ComparableScenario, ComparableScore, ComparableTurn, TrialOutcomes } from "../core/comparison.ts";
import { EntailError, messageOf } from "../core/error.ts";
import { LABELS, type Label } from "../core/label.ts";
import { OUTCOMES } from "../core/outcome.ts";
import { readJson } from "../json/read-json.ts";
import { valueOf } from "../json/json-value.ts";
import { count, duration, flag, type Form, list, number, objectAt, optional, plainText, record, required, text, unreadable, word, type WireObject } from "./form.ts";

const SCHEMA_VERSION = 1;

const heldFields = { held: required("held", count), of: required("of", count) };
const labelsForm = record<Partial<Record<Label, number>>>(Object.fromEntries(LABELS.map((label) => [label, optional(label, count)])) as { readonly [L in Label]: ReturnType<typeof optional<number>> });
const claimForm = record<ComparableClaim>({ id: required("id", text), turn: optional("turn", count), ...heldFields, labels: required("labels", labelsForm) });
const checkForm = record<ComparableCheck>({ name: required("name", text), ...heldFields });
const scoreForm = record<ComparableScore>({
  id: required("id", text),
  base: required("base", text),
  kind: required("kind", word(["gate", "scorer"])),
  turn: optional("turn", count),
  ...heldFields,
  score: optional("score", number),
  threshold: optional("threshold", number),
  thresholdMax: optional("threshold_max", number),
});
const turnForm = record<ComparableTurn>({ turn: required("turn", count), id: optional("id", text), ...heldFields });
const trialsForm = record<TrialOutcomes>({ passed: required("passed", count), scored: required("scored", count), failed: required("failed", count), errored: required("errored", count), cancelled: required("cancelled", count) });
/** The message of an error may name what changes every time: a port, a time, an id. */
const errorForm: Form<NonNullable<ComparableScenario["error"]>> = {
  write: ({ code }) => ({ code }),
  read: (wire, path) => ({ code: required("code", plainText).read(objectAt(wire, path), path) ?? "", message: "" }),
};

const scenarioForm: Form<ComparableScenario> = record<ComparableScenario>({
  id: required("id", text),
  revision: optional("revision", plainText),
  content: optional("content", plainText),
  tags: optional("tags", list(text)),
  outcome: required("outcome", word(OUTCOMES)),
  trials: required("trials", trialsForm),
  error: optional("error", errorForm),
  skip: optional("skip", text),
  claims: optional("claims", list(claimForm)),
  checks: optional("checks", list(checkForm)),
  scores: optional("scores", list(scoreForm)),
  turns: optional("turns", list(turnForm)),
  durationMs: optional("duration", duration),
  cost: optional("cost", number),
  tokens: optional("tokens", number),
  toolCalls: optional("tool_calls", number),
  stoppedEarly: optional("stopped_early", flag),
});

const baselineForm: Form<Baseline> = record<Baseline>({
  suiteId: required("suite_id", text),
  variant: optional("variant", text),
  subject: optional("subject", text),
  judge: optional("judge", record<ComparableJudge>({ model: optional("model", text), modelClass: optional("model_class", text), fingerprint: optional("fingerprint", plainText) })),
  accepted: optional("accepted", record<NonNullable<Baseline["accepted"]>>({ over: required("over", list(text)), reason: optional("reason", text) })),
  scenarios: required("scenarios", list(scenarioForm)),
});

/**
 * What a baseline keeps of a run: neither times nor ids that change, scenarios and what is in them in one order, measures rounded (time to two digits,
 * the rest to three).
 */
export function baselineOf(run: ComparableRun, accepted?: Baseline["accepted"]): Baseline {
  const { suiteId, subject, variant, judge } = run;
  return {
    suiteId,
    ...(variant !== undefined && { variant }),
    ...(subject !== undefined && { subject }),
    ...(judge !== undefined && { judge }),
    ...(accepted !== undefined && { accepted }),
    scenarios: run.scenarios.map(settled).toSorted((a, b) => order(a.id, b.id)),
  };
}

function settled(scenario: ComparableScenario): ComparableScenario {
  const { tags, claims, checks, scores, turns, durationMs, cost, tokens, toolCalls, error, ...rest } = scenario;
  return {
    ...rest,
    ...(tags !== undefined && { tags: tags.toSorted(order) }),
    ...(error !== undefined && { error: { code: error.code, message: "" } }),
    ...(claims !== undefined && { claims: claims.toSorted((a, b) => (a.turn ?? -1) - (b.turn ?? -1) || order(a.id, b.id)) }),
    ...(checks !== undefined && { checks: checks.toSorted((a, b) => order(a.name, b.name)) }),
    ...(scores !== undefined && { scores: scores.map((score) => (score.score === undefined ? score : { ...score, score: digits(score.score, 6) })).toSorted((a, b) => (a.turn ?? -1) - (b.turn ?? -1) || order(a.id, b.id)) }),
    ...(turns !== undefined && { turns: turns.toSorted((a, b) => a.turn - b.turn) }),
    ...(durationMs !== undefined && { durationMs: digits(durationMs, 2) }),
    ...(cost !== undefined && { cost: digits(cost, 3) }),
    ...(tokens !== undefined && { tokens: digits(tokens, 3) }),
    ...(toolCalls !== undefined && { toolCalls: digits(toolCalls, 3) }),
  };
}

/** By UTF-16 code units: the same on every machine, whatever its language. */
function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function digits(value: number, places: number): number {
  return Number(value.toPrecision(places));
}

/** The text of a baseline's file: indented JSON that ends with a line break. */
export function encodeBaseline(baseline: Baseline, { mask = (value) => value }: { readonly mask?: ((text: string) => string) | undefined } = {}): string {
  return `${JSON.stringify({ schema_version: SCHEMA_VERSION, ...(baselineForm.write(baseline, { goaOnly: false, mask }) as object) }, null, 2)}\n`;
}

/** Reads a baseline's file. Throws `baseline_unreadable`, which names the place and what is wrong there. */
export function decodeBaseline(wire: string): Baseline {
  try {
    const object = objectAt(valueOf(readJson(wire.startsWith("\uFEFF") ? wire.slice(1) : wire)), "");
    checkVersion(object);
    return checked(baselineForm.read(object, ""));
  } catch (thrown) {
    throw new EntailError("baseline_unreadable", `the baseline cannot be read: ${messageOf(thrown).replace(/^the report cannot be read: /, "")}`, { cause: thrown });
  }
}

function checkVersion(wire: WireObject): void {
  const version = wire["schema_version"];
  if (version !== SCHEMA_VERSION) unreadable("schema_version", version === undefined ? "is missing: this is no baseline" : `is ${JSON.stringify(version)}, and this version of Entail reads ${SCHEMA_VERSION}; update Entail`);
}

/** A file that a person merged may hold one scenario twice, or counts that cannot be. */
function checked(baseline: Baseline): Baseline {
  const seen = new Set<string>();
  for (const [at, { id, claims = [], checks = [], scores = [], turns = [] }] of baseline.scenarios.entries()) {
    if (seen.has(id)) unreadable(`scenarios[${at}].id`, `is ${JSON.stringify(id)} for the second time`);
    seen.add(id);
    for (const [name, held] of [["claims", claims], ["checks", checks], ["scores", scores], ["turns", turns]] as const) {
      const wrong = held.findIndex((item) => item.held > item.of);
      if (wrong !== -1) unreadable(`scenarios[${at}].${name}[${wrong}].held`, "must not be more than its of");
    }
  }
  return baseline;
}
