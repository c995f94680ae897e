// Owns the measures: gates and scorers as they were read, each with an id of its own and the place of its result.

import { listOf, member, namesOf, recordOf } from "../core/member.ts";
import type { Scorer, ThresholdConfig } from "../core/scorer.ts";
import { distinctIds } from "../score/distinct-ids.ts";
import { readEntry, type ReadEntry } from "../score/scorer-entry.ts";
import { scorerInvalid } from "../score/scorer-error.ts";

export type Group = "agent" | "workflow" | "steps" | "trajectory";

export interface Measure {
  /** Distinct among those of its list. */
  readonly id: string;
  readonly base: string;
  readonly kind: "gate" | "scorer";
  readonly scorer: Scorer;
  readonly threshold?: ThresholdConfig | undefined;
  /** The list that it stood in, where they are grouped. */
  readonly group?: Group | undefined;
  /** The step of a workflow that it looks at. */
  readonly step?: string | undefined;
}

const NONE: readonly Measure[] = Object.freeze([]);

/** A flat list. `place` says which (`gates`, `data[0].turns[1].scorers`). Throws `scorer_invalid`. */
export function readMeasures(list: unknown, kind: Measure["kind"], place: string): readonly Measure[] {
  if (list === undefined) return NONE;
  const entries = listOf(list);
  if (entries === undefined) throw scorerInvalid(`${place} must be a list of scorers`);
  if (entries.length === 0) return NONE;
  return named(entries.map((entry, at) => ({ ...readEntry(entry, `${place}[${at}]`), kind })), place);
}

type Unnamed = ReadEntry & Pick<Measure, "kind" | "group" | "step">;

function named(entries: readonly Unnamed[], place: string): readonly Measure[] {
  const ids = distinctIds(entries.map(({ scorer }) => scorer), place);
  return entries.map((entry, at) => ({ ...entry, ...(ids[at] as { readonly id: string; readonly base: string }) }));
}

export interface ReadScorers {
  readonly measures: readonly Measure[];
  /** Whether they came in groups, so that their results do. */
  readonly grouped: boolean;
}

const NO_SCORERS = "NO_SCORERS_PROVIDED";

/** The thresholds of a flat list are looked at before anything else, as Mastra does. Throws `scorer_invalid`. */
export function readScorers(scorers: unknown, workflow: boolean): ReadScorers {
  if (scorers === undefined || Array.isArray(scorers)) return { measures: readMeasures(scorers, "scorer", "scorers"), grouped: false };
  const groups: readonly Group[] = workflow ? ["workflow", "steps", "trajectory"] : ["agent", "trajectory"];
  const there = groups.filter((group) => member(scorers, group) !== undefined);
  const foreign = namesOf(scorers).filter((name) => !(groups as readonly string[]).includes(name));
  if (recordOf(scorers) === undefined || foreign.length > 0 || (there.length === 0 && !workflow)) {
    const wanted = workflow ? "{ workflow, steps, trajectory }" : "{ agent, trajectory }";
    throw scorerInvalid(`scorers must be a list of scorers or ${wanted}${foreign.length > 0 ? `; ${JSON.stringify(foreign[0])} is none of these` : ""}`, workflow ? undefined : "INVALID_AGENT_SCORERS");
  }
  const entries = there.flatMap((group): readonly Unnamed[] => {
    const list = member(scorers, group);
    return group === "steps" ? readSteps(list) : readGroup(list, group);
  });
  if (entries.length === 0) throw scorerInvalid(`at least one ${workflow ? "workflow, step or trajectory" : "agent or trajectory"} scorer is needed: every list of scorers is empty`, NO_SCORERS);
  return { measures: named(entries, "scorers"), grouped: true };
}

function readGroup(list: unknown, group: Group, step?: string): readonly Unnamed[] {
  const place = `scorers.${group}${step === undefined ? "" : `.${step}`}`;
  const entries = listOf(list);
  if (entries === undefined) throw scorerInvalid(`${place} must be a list of scorers`);
  return entries.map((entry, at) => ({ ...readEntry(entry, `${place}[${at}]`), kind: "scorer", group, ...(step === undefined ? {} : { step }) }));
}

function readSteps(steps: unknown): readonly Unnamed[] {
  if (recordOf(steps) === undefined) throw scorerInvalid("scorers.steps must be an object of lists, by step");
  return namesOf(steps).flatMap((step) => readGroup(member(steps, step), "steps", step));
}

export function noScorers(): Error {
  return scorerInvalid("at least one scorer, gate or claim is needed: nothing would be shown by the run", NO_SCORERS);
}
