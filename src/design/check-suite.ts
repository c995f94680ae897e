// Owns the checking of one suite: its names, durations, tags and inputs, and that each hook has a method of its own.

import { EntailError } from "../core/error.ts";
import { isIdentifier } from "../core/identifier.ts";
import type { TrialRequirement } from "../core/suite.ts";
import {
  checkedDescription,
  checkedDuration,
  checkedList,
  checkedName,
  checkedText,
  isObject,
  sayAt,
  sayUnknownMembers,
  shown,
  type Findings,
  type Say,
} from "./check-member.ts";
import { checkedInput } from "./check-schema.ts";
import type { CheckedScenario, CheckedSuite } from "./checked-design.ts";
import { designError } from "./design-error.ts";
import { hookMethod, reservedMethod } from "./hook-method.ts";
import { kindOf } from "./mark.ts";
import type { SuiteDesign } from "./suite.ts";

const SUITE_MEMBERS = ["description", "timeout", "scenarios"] as const;
const SCENARIO_MEMBERS = ["description", "tags", "timeout", "input", "skip", "knownFailure", "revision", "trials", "require"] as const;

/** A suite alone, as `implement` takes it. Throws one `design_invalid` error with all its faults. */
export function checkSuite(suite: SuiteDesign): CheckedSuite {
  if (kindOf(suite) !== "suite") throw new EntailError("bad_context", `implement takes what suite() made, not ${shown(suite)}`);
  const findings: Findings = { faults: [], warnings: [] };
  const checked = checkedSuite(suite, findings);
  if (findings.faults.length > 0) throw designError(findings.faults);
  return checked;
}

/** What is said of the suite goes into `findings`; the value is of use only where nothing was. */
export function checkedSuite(suite: SuiteDesign, findings: Findings): CheckedSuite {
  const place = `suite ${shown(suite.name)}`;
  const say = sayAt(findings, place);
  const id = checkedName(suite.name, "suite_name_invalid", "a suite's name", say);
  const shape: unknown = suite.shape;
  if (!isObject(shape)) {
    say("design_member_invalid", `needs { description, timeout, scenarios }, not ${shown(shape)}`);
    return { id, description: "", scenarios: [] };
  }
  sayUnknownMembers(shape, SUITE_MEMBERS, say);
  const description = checkedDescription(shape["description"], "suite_description_missing", say);
  const timeoutMs = suiteTimeout(shape["timeout"], say);
  const declared = isObject(shape["scenarios"]) ? Object.entries(shape["scenarios"]) : [];
  if (declared.length === 0) say("suite_empty", 'has no scenario; declare one in "scenarios"');
  sayCollisions(
    declared.map(([name]) => name),
    say,
  );
  const scenarios = declared.flatMap(([name, scenario]) => checkedScenario(name, scenario, timeoutMs, place, findings) ?? []);
  return { id, description, scenarios };
}

function suiteTimeout(timeout: unknown, say: Say): number {
  if (timeout !== undefined) return checkedDuration(timeout, say) ?? 0;
  say("suite_timeout_missing", 'needs a timeout: how long one scenario may take, such as "2m"');
  return 0;
}

function checkedScenario(name: string, shape: unknown, suiteTimeoutMs: number, suitePlace: string, findings: Findings): CheckedScenario | undefined {
  const place = `${suitePlace}, scenario ${shown(name)}`;
  const say = sayAt(findings, place);
  const kind = kindOf(shape);
  if (kind !== undefined) {
    say("bad_context", `a ${kind} stands where a scenario is declared; write { description, input? }`);
    return undefined;
  }
  if (!isObject(shape)) {
    say("design_member_invalid", `needs { description }, not ${shown(shape)}`);
    return undefined;
  }
  checkedName(name, "scenario_name_invalid", "a scenario's name", say);
  const method = hookMethod(name);
  const reserved = reservedMethod(method);
  if (reserved !== undefined) say("hook_method_reserved", `its hook would be the method ${shown(method)}, which ${reserved}; give the scenario another name`);
  sayUnknownMembers(shape, SCENARIO_MEMBERS, say);
  const text = (member: "skip" | "knownFailure" | "revision"): object => {
    const value = checkedText(shape, member, say);
    return value === undefined ? {} : { [member]: value };
  };
  return {
    id: name,
    method,
    description: checkedDescription(shape["description"], "scenario_description_missing", say),
    tags: checkedTags(shape, say),
    timeoutMs: shape["timeout"] === undefined ? suiteTimeoutMs : (checkedDuration(shape["timeout"], say) ?? 0),
    input: checkedInput(shape["input"], place, findings),
    ...text("skip"),
    ...text("knownFailure"),
    ...text("revision"),
    ...checkedTrials(shape["trials"], say),
    ...checkedRequirement(shape["require"], say),
  };
}

function checkedTags(shape: Readonly<Record<string, unknown>>, say: Say): readonly string[] {
  const tags: string[] = [];
  for (const tag of checkedList(shape, "tags", say)) {
    if (typeof tag !== "string" || !isIdentifier(tag)) say("tag_invalid", `tag ${shown(tag)} must be lower_snake_case`);
    else if (tags.includes(tag)) say("tag_duplicate", `carries the tag ${shown(tag)} twice; remove one`);
    else tags.push(tag);
  }
  return tags;
}

function checkedTrials(trials: unknown, say: Say): { readonly trials?: number } {
  if (trials === undefined) return {};
  if (typeof trials === "number" && Number.isSafeInteger(trials) && trials > 0) return { trials };
  say("trials_not_positive", `"trials" must be a positive whole number, not ${shown(trials)}`);
  return {};
}

function checkedRequirement(requirement: unknown, say: Say): { readonly require?: TrialRequirement } {
  if (requirement === undefined) return {};
  const passRate = isObject(requirement) ? requirement["passRate"] : undefined;
  if (typeof passRate !== "number" || !(passRate > 0 && passRate <= 1)) {
    say("design_member_invalid", `"require" must be { passRate } with a share above 0, at most 1, not ${shown(passRate ?? requirement)}`);
    return {};
  }
  sayUnknownMembers(requirement as object, ["passRate"], (code, message) => say(code, `"require" ${message}`));
  return { require: { passRate } };
}

function sayCollisions(names: readonly string[], say: Say): void {
  const byMethod = Map.groupBy(names, hookMethod);
  for (const [method, same] of byMethod) {
    if (same.length > 1) say("hook_method_collision", `scenarios ${same.map(shown).join(" and ")} would share the hook ${shown(method)}; rename one`);
  }
}
