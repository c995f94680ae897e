// Owns the identity of a cell: what has to be the same for a stored result to stand for a trial that should be run.

import { hash } from "node:crypto";
import { wireSafe } from "../core/wire-safe.ts";
import type { PlannedScenario, RunManifest } from "../core/store.ts";
import { canonicalJson } from "../json/write-json.ts";

/** SHA-256 of the canonical JSON text, in hexadecimal digits. What JSON cannot hold is made plain first. */
export function digestOf(value: unknown): string {
  return hash("sha256", canonicalText(value), "hex");
}

function canonicalText(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return canonicalJson(wireSafe(value) ?? null);
  }
}

/** Many scenarios share one schema object. */
const schemaTexts = new WeakMap<object, string>();

function schemaText(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return schema === undefined ? "null" : canonicalText(schema);
  let text = schemaTexts.get(schema);
  if (text === undefined) schemaTexts.set(schema, (text = canonicalText(schema)));
  return text;
}

/** Digest of `[id, description, input schema, revision]`: what a scenario is, apart from its input. `null` stands for what it has not. */
export function revisionOf({ id, description, inputSchema, revision }: Pick<PlannedScenario, "id" | "description" | "inputSchema" | "revision">): string {
  return hash("sha256", `[${JSON.stringify(id)},${JSON.stringify(description)},${schemaText(inputSchema)},${JSON.stringify(revision ?? null)}]`, "hex");
}

/** `null` where the scenario takes none. */
export function inputDigest({ input }: Pick<PlannedScenario, "input">): string | null {
  return input === undefined ? null : digestOf(input);
}

export interface Cell {
  readonly suite: string;
  readonly scenario: string;
  readonly revision: string;
  readonly input: string | null;
  readonly variant: string | null;
  readonly subject: string | null;
  /** Counts from 1. */
  readonly trial: number;
}

/** SHA-256 of the canonical list `[suite, scenario, revision, input digest, variant, subject, trial]`. */
export function cellKey({ suite, scenario, revision, input, variant, subject, trial }: Cell): string {
  return hash("sha256", JSON.stringify([suite, scenario, revision, input, variant, subject, trial]), "hex");
}

/** By `positionAndTrial`: the key of every cell that a run plans. */
export function cellsOf(run: Pick<RunManifest, "suiteId" | "variant" | "subject">, scenarios: Iterable<PlannedScenario>): Map<string, string> {
  const cells = new Map<string, string>();
  for (const planned of scenarios) {
    const shared = { suite: run.suiteId, scenario: planned.id, revision: revisionOf(planned), input: inputDigest(planned), variant: run.variant ?? null, subject: run.subject ?? null };
    for (let trial = 1; trial <= planned.trials; trial++) cells.set(positionAndTrial(planned.position, trial), cellKey({ ...shared, trial }));
  }
  return cells;
}

/** `12/1`: how `Store.cells` names a cell. */
export function positionAndTrial(position: number, trial: number): string {
  return `${position}/${trial}`;
}
