// Owns the check of a suite that came from anywhere: what generated code guarantees must hold of one made by hand.

import { formatDuration, MAX_DURATION_MS } from "../core/duration.ts";
import { EntailError, type Fault, messageOf } from "../core/error.ts";
import { isIdentifier, isItemId } from "../core/identifier.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Suite } from "../core/suite.ts";

const SCENARIO_MEMBERS = ["id", "description", "tags", "timeoutMs", "run", "score", "skip", "knownFailure", "revision", "input", "inputSchema", "trials", "require"] as const;
const SUITE_MEMBERS = ["id", "description", "scenarios", "digest", "data"] as const;

/** Throws one `suite_invalid` error with every fault of `suite`; faults of what can only be looked at once it is an object come later. */
export function checkSuite(suite: Suite): void {
  const faults: Fault[] = [];
  const note = (place: string, message: string): void => void faults.push({ code: "suite_invalid", place, message });
  try {
    readSuite(suite, note);
  } catch (thrown) {
    note("suite", `cannot be read: ${messageOf(thrown)}`);
  }
  if (faults.length === 0) return;
  const shown = faults.slice(0, 50).map(({ place, message }) => `\n  ${place} ${message}`).join("");
  const more = faults.length > 50 ? `\n  and ${faults.length - 50} more` : "";
  throw new EntailError("suite_invalid", `the suite is not valid:${shown}${more}`, { stage: "selection", faults });
}

type Note = (place: string, message: string) => void;

function readSuite(suite: unknown, note: Note): void {
  if (!isObject(suite)) return note("suite", "must be an object with id, description and scenarios");
  unknownMembers(suite, SUITE_MEMBERS, "suite", note);
  const { id, description, scenarios, data } = suite;
  const named = namingOf(data !== undefined);
  if (data !== undefined && !(isObject(data) && typeof data["tally"] === "function")) note("suite", "needs data with a function tally, or none");
  if (typeof id !== "string" || !named.holds(id)) note("suite", `needs an id ${named.rule}, not ${shown(id)}`);
  if (typeof description !== "string") note("suite", "needs a description");
  if (!Array.isArray(scenarios)) return note("suite", "needs a list of scenarios");
  const seen = new Set<unknown>();
  for (const [at, scenario] of (scenarios as readonly unknown[]).entries()) readScenario(scenario, at, named, seen, note);
}

interface Naming {
  readonly holds: (id: string) => boolean;
  readonly rule: string;
}

/** What people declare is typed on command lines; data name their items as they like. */
function namingOf(data: boolean): Naming {
  return data ? { holds: isItemId, rule: "of 1 to 200 characters without control characters" } : { holds: isIdentifier, rule: "in lower_snake_case" };
}

function readScenario(scenario: unknown, at: number, named: Naming, seen: Set<unknown>, note: Note): void {
  if (!isObject(scenario)) return note(`scenarios[${at}]`, "must be an object");
  const { id, description, tags, timeoutMs, run, score, skip, knownFailure, trials, require } = scenario;
  const place = typeof id === "string" ? `scenario ${JSON.stringify(id)}` : `scenarios[${at}]`;
  unknownMembers(scenario, SCENARIO_MEMBERS, place, note);
  if (typeof id !== "string" || !named.holds(id)) note(place, `needs an id ${named.rule}, not ${shown(id)}`);
  else if (seen.has(id)) note(place, "is there twice; an id names one scenario");
  seen.add(id);
  if (typeof description !== "string") note(place, "needs a description");
  if (!Array.isArray(tags)) note(place, "needs tags; give [] for none");
  else readTags(tags, place, note);
  if (typeof timeoutMs !== "number" || !(timeoutMs > 0)) note(place, `needs a positive timeoutMs, not ${shown(timeoutMs)}`);
  else if (timeoutMs > MAX_DURATION_MS) note(place, `has a timeoutMs of ${formatDuration(timeoutMs)}; 24 days are the most`);
  if (typeof run !== "function") note(place, "needs run, a function");
  if (score !== undefined && !(isObject(score) && typeof score["score"] === "function")) note(place, "needs score with a function score, or none");
  if (skip !== undefined && (typeof skip !== "string" || skip === "")) note(place, "needs a reason as its skip");
  if (knownFailure !== undefined && (typeof knownFailure !== "string" || knownFailure === "")) note(place, "needs a reason as its knownFailure");
  if (trials !== undefined && !(Number.isSafeInteger(trials) && (trials as number) > 0)) note(place, `needs a positive whole number of trials, not ${shown(trials)}`);
  if (require !== undefined) {
    const rate = isObject(require) ? require["passRate"] : undefined;
    if (typeof rate !== "number" || !(rate > 0 && rate <= 1)) note(place, `needs require.passRate above 0, at most 1, not ${shown(rate)}`);
    else unknownMembers(require as Readonly<Record<string, unknown>>, ["passRate"], place, note);
  }
}

function readTags(tags: readonly unknown[], place: string, note: Note): void {
  const seen = new Set<unknown>();
  for (const tag of tags) {
    if (typeof tag !== "string" || !isIdentifier(tag)) note(place, `has the tag ${shown(tag)}, which is not lower_snake_case`);
    else if (seen.has(tag)) note(place, `has the tag ${JSON.stringify(tag)} twice`);
    seen.add(tag);
  }
}

function unknownMembers(value: Readonly<Record<string, unknown>>, known: readonly string[], place: string, note: Note): void {
  for (const member of Object.keys(value)) {
    if (!known.includes(member)) note(place, `has a member ${JSON.stringify(member)} that Entail does not know${didYouMean(member, known)}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" || typeof value === "boolean" || value === undefined || value === null ? `${value}` : `a ${typeof value}`;
}
