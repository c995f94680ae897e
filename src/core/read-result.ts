// Owns the reading of a result at the door: whatever a hook returned becomes plain, frozen data that nobody can change, or one fault.

import type { Artifact } from "./artifact.ts";
import type { Check } from "./check.ts";
import { type Claim, validateClaims } from "./claim.ts";
import { EntailError, type ErrorCode, messageOf } from "./error.ts";
import type { Evidence } from "./evidence.ts";
import { freezeDeep } from "./freeze-deep.ts";
import type { Label } from "./label.ts";
import { didYouMean } from "./nearest.ts";
import type { ReportResult } from "./report.ts";
import type { HookScore } from "./score.ts";
import { USAGE_MEMBERS, type Usage } from "./usage.ts";
import { wireTold } from "./wire-safe.ts";

const RESULT_MEMBERS = ["checks", "claims", "output", "reference", "artifacts", "evidence", "scores", "usage", "metadata"] as const;
const CHECK_MEMBERS = ["name", "passed", "diagnostic"] as const;
const CLAIM_MEMBERS = ["id", "text", "expect", "quote"] as const;
const ARTIFACT_MEMBERS = ["name", "uri"] as const;
const SCORE_MEMBERS = ["id", "score", "threshold", "reason"] as const;

/** No hook returns so many checks; a list that says so only pretends to be one. */
const MAX_ITEMS = 1_000_000;
/** A score computed in binary floating point may leave its range by a hair. */
const SCORE_OVERSHOOT = 1e-9;

/** A result as a report holds it, and the evidence that a report does not hold. Both share nothing with what was read. */
export interface ReadResult {
  readonly result: ReportResult;
  readonly evidence?: Evidence;
}

/**
 * Reads each member of `value` once. Throws an `EntailError` of stage `result` with the first fault: `result_not_an_object`,
 * `result_unreadable`, `result_member_unknown` and `result_member_invalid` first, wherever they are; then `result_empty` and the
 * faults of checks, claims, artifacts and scores, in this order.
 */
export function readResult(value: unknown): ReadResult {
  const read = readMembers(value);
  const { checks, claims, scores } = read.result;
  if (checks === undefined && claims === undefined && scores === undefined) {
    throw fault("result_empty", "the result has no check, no claim and no score: nothing would be shown by it");
  }
  validateItems(read.result);
  return read;
}

/** Reads what a hook attaches: all that is there must be right, but nothing has to be there. */
export function readPartialResult(value: unknown): ReadResult {
  const read = readMembers(value);
  validateItems(read.result);
  return read;
}

function validateItems({ checks = [], claims = [], artifacts = [], scores = [] }: ReportResult): void {
  validateChecks(checks);
  validateClaims(claims);
  validateArtifacts(artifacts);
  validateScores(scores);
}

function fault(code: ErrorCode, message: string): EntailError {
  return new EntailError(code, message, { stage: "result" });
}

type Members<Name extends string> = { readonly [K in Name]: unknown };

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Promise) return "a promise: await it";
  const type = typeof value;
  return type === "object" ? "an object" : type === "undefined" ? "missing" : `a ${type}`;
}

/** The known members of an object, each read once. */
function open<Name extends string>(value: unknown, place: string, known: readonly Name[], notObject: ErrorCode = "result_member_invalid"): Members<Name> {
  const members = Object.create(null) as Record<Name, unknown>;
  let found: readonly string[];
  try {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Promise) {
      throw fault(notObject, `${place} must be an object; it is ${kindOf(value)}`);
    }
    found = Object.keys(value);
  } catch (thrown) {
    if (thrown instanceof EntailError) throw thrown;
    throw fault("result_unreadable", `${place} cannot be read: ${messageOf(thrown)}`);
  }
  for (const member of found) {
    if (!(known as readonly string[]).includes(member)) {
      throw fault("result_member_unknown", `${place} has a member ${JSON.stringify(member)} that Entail does not know${didYouMean(member, known)}`);
    }
  }
  for (const member of known) {
    try {
      members[member] = (value as Record<string, unknown>)[member];
    } catch (thrown) {
      throw fault("result_unreadable", `${place} cannot be read: its member ${JSON.stringify(member)} throws: ${messageOf(thrown)}`);
    }
  }
  return members;
}

/** The items of a list, each read once; none where it is absent. */
function list(value: unknown, place: string): readonly unknown[] {
  if (value === undefined) return [];
  try {
    if (!Array.isArray(value)) throw fault("result_member_invalid", `${place} must be a list; it is ${kindOf(value)}`);
    const { length } = value;
    if (length > MAX_ITEMS) throw fault("result_unreadable", `${place} has more than ${MAX_ITEMS} items`);
    const items: unknown[] = [];
    for (let at = 0; at < length; at++) items.push(value[at]);
    return items;
  } catch (thrown) {
    if (thrown instanceof EntailError) throw thrown;
    throw fault("result_unreadable", `${place} cannot be read: ${messageOf(thrown)}`);
  }
}

function text(value: unknown, place: string): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw invalid(place, "a string", value);
}

function flag(value: unknown, place: string): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  throw invalid(place, "true or false", value);
}

function invalid(place: string, wanted: string, value: unknown): EntailError {
  let kind = "something that cannot be read";
  try {
    kind = kindOf(value);
  } catch {
    // A revoked proxy: its kind stays unknown.
  }
  return fault("result_member_invalid", `${place} must be ${wanted}; it is ${kind}`);
}

function readMembers(value: unknown): ReadResult {
  const members = open(value, "the result", RESULT_MEMBERS, "result_not_an_object");
  const checks = list(members.checks, "checks").map(readCheck);
  const claims = list(members.claims, "claims").map(readClaim);
  const output = text(members.output, "output");
  const reference = text(members.reference, "reference");
  const artifacts = list(members.artifacts, "artifacts").map(readArtifact);
  const scores = list(members.scores, "scores").map(readScore);
  const evidence = readEvidence(members.evidence);
  const usage = readUsage(members.usage, "usage");
  const metadata = readMetadata(members.metadata);
  const result: ReportResult = Object.freeze({
    ...(checks.length > 0 && { checks: Object.freeze(checks) }),
    ...(claims.length > 0 && { claims: Object.freeze(claims) }),
    ...(output !== undefined && output !== "" && { output }),
    ...(reference !== undefined && reference !== "" && { reference }),
    ...(artifacts.length > 0 && { artifacts: Object.freeze(artifacts) }),
    ...(scores.length > 0 && { scores: Object.freeze(scores) }),
    ...(usage !== undefined && { usage }),
    ...(metadata !== undefined && { metadata }),
  });
  return evidence === undefined ? { result } : { result, evidence };
}

// What breaks the rules of a kind (an empty name, a missing diagnostic) is let through here, and is a fault of its own code later.

function readCheck(value: unknown, at: number): Check {
  const place = `checks[${at}]`;
  const members = open(value, place, CHECK_MEMBERS);
  const name = text(members.name, `${place}.name`) ?? "";
  const passed = flag(members.passed, `${place}.passed`);
  const diagnostic = text(members.diagnostic, `${place}.diagnostic`) ?? "";
  if (passed === undefined) throw invalid(`${place}.passed`, "true or false", undefined);
  return Object.freeze({ name, passed, ...(diagnostic !== "" && { diagnostic }) }) as Check;
}

function readClaim(value: unknown, at: number): Claim {
  const place = `claims[${at}]`;
  const members = open(value, place, CLAIM_MEMBERS);
  const expect = text(members.expect, `${place}.expect`);
  const quote = flag(members.quote, `${place}.quote`);
  return Object.freeze({
    id: text(members.id, `${place}.id`) ?? "",
    text: text(members.text, `${place}.text`) ?? "",
    ...(expect !== undefined && { expect: expect as Label }),
    ...(quote !== undefined && { quote }),
  });
}

function readArtifact(value: unknown, at: number): Artifact {
  const place = `artifacts[${at}]`;
  const members = open(value, place, ARTIFACT_MEMBERS);
  return Object.freeze({ name: text(members.name, `${place}.name`) ?? "", uri: text(members.uri, `${place}.uri`) ?? "" });
}

function readScore(value: unknown, at: number): HookScore {
  const place = `scores[${at}]`;
  const members = open(value, place, SCORE_MEMBERS);
  const reason = text(members.reason, `${place}.reason`) ?? "";
  return Object.freeze({
    id: text(members.id, `${place}.id`) ?? "",
    score: unit(members.score, `${place}.score`),
    ...(members.threshold !== undefined && { threshold: unit(members.threshold, `${place}.threshold`) }),
    ...(reason !== "" && { reason }),
  });
}

function unit(value: unknown, place: string): number {
  if (typeof value !== "number") throw invalid(place, "a number from 0 to 1", value);
  if (!(value >= -SCORE_OVERSHOOT && value <= 1 + SCORE_OVERSHOOT)) throw fault("score_invalid", `${place} must lie between 0 and 1; it is ${value}`);
  return Math.min(1, Math.max(0, value)) + 0;
}

function readEvidence(value: unknown): Evidence | undefined {
  if (value === undefined) return undefined;
  try {
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Promise)) {
      // A collector's snapshot is frozen to its depth, so a copy would show nothing else.
      return Object.isFrozen(value) ? (value as Evidence) : (wireTold(value) as Evidence);
    }
  } catch (thrown) {
    throw fault("result_unreadable", `evidence cannot be read: ${messageOf(thrown)}`);
  }
  throw invalid("evidence", "what a collector's finish() or collect() gives", value);
}

/** Known members alone: what a framework counts beside them is nothing that Entail could add up. */
export function readUsage(value: unknown, place: string): Usage | undefined {
  if (value === undefined) return undefined;
  const usage: { -readonly [K in keyof Usage]: number } = {};
  let known = false;
  try {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Promise) throw invalid(place, "an object", value);
    for (const member of USAGE_MEMBERS) {
      const amount = (value as Record<string, unknown>)[member];
      if (amount === undefined) continue;
      if (typeof amount !== "number" || !Number.isFinite(amount) || amount < 0) throw invalid(`${place}.${member}`, "a number that is not negative", amount);
      if (member !== "cost" && !Number.isInteger(amount)) throw fault("result_member_invalid", `${place}.${member} must be a whole number; it is ${amount}`);
      usage[member] = amount + 0;
      known = true;
    }
  } catch (thrown) {
    if (thrown instanceof EntailError) throw thrown;
    throw fault("result_unreadable", `${place} cannot be read: ${messageOf(thrown)}`);
  }
  return known ? Object.freeze(usage) : undefined;
}

function readMetadata(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value === undefined) return undefined;
  let copy: unknown;
  try {
    if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Promise) throw invalid("metadata", "an object", value);
    copy = wireTold(value);
  } catch (thrown) {
    if (thrown instanceof EntailError) throw thrown;
    throw fault("result_unreadable", `metadata cannot be read: ${messageOf(thrown)}`);
  }
  if (typeof copy !== "object" || copy === null || Array.isArray(copy)) throw invalid("metadata", "an object", copy);
  return Object.keys(copy).length === 0 ? undefined : (freezeDeep(copy) as Record<string, unknown>);
}

function validateChecks(checks: readonly Check[]): void {
  const seen = new Set<string>();
  for (const [at, { name, passed, diagnostic }] of checks.entries()) {
    if (name === "") throw fault("check_name_missing", `checks[${at}] has no name`);
    if (seen.has(name)) throw fault("check_duplicate", `two checks have the name ${JSON.stringify(name)}; give an expectation a name, or the check another`);
    seen.add(name);
    if (passed && diagnostic !== undefined) {
      throw fault("check_passed_with_diagnostic", `check ${JSON.stringify(name)} passed and has a diagnostic; check(name, passed, diagnostic) keeps it only where the check failed`);
    }
    if (!passed && diagnostic === undefined) throw fault("check_failed_without_diagnostic", `check ${JSON.stringify(name)} failed and has no diagnostic; say what was expected and what was seen`);
  }
}

function validateArtifacts(artifacts: readonly Artifact[]): void {
  const seen = new Set<string>();
  for (const [at, { name, uri }] of artifacts.entries()) {
    if (name === "" || uri === "") throw fault("artifact_incomplete", `artifacts[${at}] needs a name and a uri; it has name ${JSON.stringify(name)} and uri ${JSON.stringify(uri)}`);
    if (seen.has(name)) throw fault("artifact_duplicate", `two artifacts have the name ${JSON.stringify(name)}`);
    seen.add(name);
  }
}

function validateScores(scores: readonly HookScore[]): void {
  const seen = new Set<string>();
  for (const [at, { id }] of scores.entries()) {
    if (id === "") throw fault("score_invalid", `scores[${at}] has no id`);
    if (seen.has(id)) throw fault("score_duplicate", `two scores have the id ${JSON.stringify(id)}`);
    seen.add(id);
  }
}
