// Owns the reading of a report from its wire form, ours and Goa-AI's: doubted here, trusted everywhere else.

import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import { OUTCOMES } from "../core/outcome.ts";
import type { Report, Totals } from "../core/report.ts";
import { readJson } from "../json/read-json.ts";
import { objectAt, unreadable, type WireObject } from "./form.ts";
import { SCHEMA_VERSION } from "./encode-report.ts";
import { headFromGoa } from "./goa-scenario.ts";
import { afterScenarios, beforeScenarios } from "./head-form.ts";
import { scenarioForm, scenarioPath } from "./scenario-form.ts";
import { totalsOf } from "./totals.ts";

/**
 * Reads a report from its JSON text, or from what was parsed of it. Members that it does not know are passed over; those that Goa-AI does not
 * write are worked out: outcomes and codes from its error texts, totals by counting. Throws `report_unreadable`, which names the place and what
 * is wrong there.
 */
export function decodeReport(report: unknown): Report {
  const wire = headFromGoa(objectAt(typeof report === "string" ? parsed(report) : copied(report), ""));
  const version = wire["schema_version"];
  if (version !== undefined && version !== SCHEMA_VERSION) unreadable("schema_version", `is ${JSON.stringify(version)}, and this version of Entail reads ${SCHEMA_VERSION}; update Entail`);
  if (Array.isArray(wire["reports"])) unreadable("", "holds several reports; read each item of its reports");
  const scenarios = scenariosOf(wire).map((scenario, at) => scenarioForm.read(scenario, scenarioPath(at)));
  const before = beforeScenarios.read(wire, "");
  const after = afterScenarios.read(Object.hasOwn(wire, "totals") ? wire : { ...wire, totals: totalsOf(scenarios) }, "");
  if (after.passed && after.error !== undefined) unreadable("passed", "must be false: there is an error");
  const unpassed = scenarios.findIndex(({ passed, outcome, skip }) => !passed && !(outcome === "skipped" && skip !== undefined));
  if (after.passed && unpassed !== -1) unreadable("passed", `must be false: ${scenarioPath(unpassed)} did not pass`);
  if (after.passed && !scenarios.some(({ passed }) => passed)) unreadable("passed", "must be false: no scenario ran");
  checkTotals(after.totals, totalsOf(scenarios));
  return { ...before, scenarios, ...after };
}

/** Totals that say something else than the scenarios would be believed. */
function checkTotals(given: Totals, counted: Totals): void {
  for (const name of ["scenarios", ...OUTCOMES] as const) {
    if (given[name] !== counted[name]) unreadable(`totals.${name}`, `is ${given[name]}, and the scenarios come to ${counted[name]}`);
  }
}

function scenariosOf(wire: WireObject): readonly unknown[] {
  const { scenarios } = wire;
  if (!Object.hasOwn(wire, "scenarios")) return unreadable("scenarios", "is missing");
  // What Go writes for a list that was never made.
  if (scenarios === null) return [];
  return Array.isArray(scenarios) ? scenarios : unreadable("scenarios", "must be a list");
}

function parsed(text: string): unknown {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    return JSON.parse(plain) as unknown;
  } catch (cause) {
    // The strict reader says line and column, which the platform's does not.
    let where = messageOf(cause);
    try {
      readJson(plain);
    } catch (thrown) {
      if (isEntailError(thrown)) where = thrown.message;
    }
    throw new EntailError("report_unreadable", `the report cannot be read: ${where}`, { cause });
  }
}

/** What is given as a value may change later, or hold what no JSON holds. */
function copied(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null") as unknown;
  } catch (cause) {
    throw new EntailError("report_unreadable", `the report cannot be read: it is no plain JSON (${messageOf(cause)})`, { cause });
  }
}
