// Owns the checks that suites, scenarios, tools and agents share: members that nobody knows, texts, lists, durations.

import { MAX_DURATION_MS, parseDuration } from "../core/duration.ts";
import type { ErrorCode, Fault } from "../core/error.ts";
import { isIdentifier } from "../core/identifier.ts";
import { didYouMean } from "../core/nearest.ts";

/** Where the faults of one design are gathered, so that all of them are reported together. */
export interface Findings {
  readonly faults: Fault[];
  readonly warnings: string[];
}

/** Says what is wrong at one place. */
export type Say = (code: ErrorCode, message: string) => void;

export function sayAt(findings: Findings, place: string): Say {
  return (code, message) => {
    findings.faults.push({ code, place, message });
  };
}

/** A value as it stands in a message, short. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === null || typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  return value === undefined ? "nothing" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A misspelt member would be dropped in silence: types are stripped, not checked, at run time. */
export function sayUnknownMembers(shape: object, known: readonly string[], say: Say): void {
  for (const member of Object.keys(shape)) {
    if (!known.includes(member)) say("design_member_unknown", `has no member ${JSON.stringify(member)}${didYouMean(member, known)}; remove it`);
  }
}

export function checkedName(name: unknown, code: ErrorCode, what: string, say: Say): string {
  if (typeof name !== "string" || !isIdentifier(name)) {
    say(code, `${what} must be lower_snake_case (a letter, then letters, digits and single "_"), not ${shown(name)}`);
  }
  return typeof name === "string" ? name : "";
}

export function checkedDescription(description: unknown, code: ErrorCode, say: Say): string {
  if (typeof description === "string" && description.trim() !== "") return description;
  say(code, "needs a description: say in one sentence what it is for");
  return "";
}

/** A member that may be left out, and is otherwise a text with something in it. */
export function checkedText(shape: Readonly<Record<string, unknown>>, member: string, say: Say): string | undefined {
  const text = shape[member];
  if (text === undefined) return undefined;
  if (typeof text === "string" && text.trim() !== "") return text;
  say("design_member_invalid", `"${member}" must be a text with something in it, not ${shown(text)}`);
  return undefined;
}

export function checkedFlag(shape: Readonly<Record<string, unknown>>, member: string, say: Say): boolean {
  const flag = shape[member];
  if (flag !== undefined && typeof flag !== "boolean") say("design_member_invalid", `"${member}" must be true or false, not ${shown(flag)}`);
  return flag === true;
}

/** A member that is a list, or is left out. */
export function checkedList(shape: Readonly<Record<string, unknown>>, member: string, say: Say): readonly unknown[] {
  const list = shape[member];
  if (list === undefined) return [];
  if (Array.isArray(list)) return list;
  say("design_member_invalid", `"${member}" must be a list, not ${shown(list)}`);
  return [];
}

/** Milliseconds; `undefined` where the duration is at fault, and said. */
export function checkedDuration(text: unknown, say: Say): number | undefined {
  const ms = typeof text === "string" ? parseDuration(text) : undefined;
  if (ms === undefined || Number.isNaN(ms)) {
    say("timeout_unparsable", `timeout ${shown(text)} is no duration; write "90s", "2m", "1h30m" or "500ms"`);
  } else if (ms <= 0) {
    say("timeout_not_positive", `timeout ${shown(text)} must be positive`);
  } else if (ms > MAX_DURATION_MS) {
    say("timeout_too_long", `timeout ${shown(text)} is longer than 24 days, which is the most a timer can wait`);
  } else {
    return ms;
  }
  return undefined;
}
