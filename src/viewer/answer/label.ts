// Owns giving a label: what a person says of one judgment is put down with the very texts that the store has of it.

import { isLabel } from "../../core/label.ts";
import type { Store, StoredLabel } from "../../core/store.ts";
import type { AnswerContext } from "./context.ts";
import { EntailError } from "../../core/error.ts";
import type { LabelledAnswer } from "./judge-form.ts";
import { missing } from "./missing.ts";
import { judgedTexts } from "./queue.ts";
import { requireRun } from "./run.ts";

const ID = /^[A-Za-z0-9_-]{8,64}$/;
const NOTE = 2_000;

interface GivenLabel {
  readonly id: string;
  readonly run: string;
  readonly position: number;
  readonly trial: number;
  readonly turn?: number | undefined;
  readonly claim: string;
  readonly label: StoredLabel["label"];
  readonly note?: string | undefined;
  readonly drawn?: "random" | "by_label" | undefined;
}

const refuse = (what: string): never => {
  throw new EntailError("value_invalid", `a label needs ${what}`);
};

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

function readLabel(body: unknown): GivenLabel {
  if (typeof body !== "object" || body === null) return refuse("an object");
  const { id, run, position, trial, turn, claim, label, note, drawn } = body as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" || !ID.test(id)) return refuse("an id of 8 to 64 letters and digits, made by whoever labels");
  if (typeof run !== "string" || typeof claim !== "string" || !isCount(position) || !isCount(trial)) return refuse("the run, position, trial and claim that it is about");
  if (turn !== undefined && turn !== null && !isCount(turn)) return refuse("a turn that is a number");
  if (!isLabel(label)) return refuse("one of the four labels");
  if (note !== undefined && (typeof note !== "string" || note.length > NOTE)) return refuse(`a note of at most ${NOTE} characters`);
  return { id, run, position, trial, turn: isCount(turn) ? turn : undefined, claim, label, note: note === undefined || note === "" ? undefined : note, drawn: drawn === "random" || drawn === "by_label" ? drawn : undefined };
}

/** Puts the label down and only then tells what the judge had said. Sent twice, it is one label. */
export async function giveLabel(context: AnswerContext, store: Pick<Store, "putLabel">, body: unknown): Promise<LabelledAnswer> {
  const given = readLabel(body);
  const run = await requireRun(context, given.run);
  const key = { runId: run.runId, position: given.position, trial: given.trial };
  const found = await judgedTexts(context, key, given.turn, given.claim);
  if (found === undefined) throw missing(`there is no judgment of claim ${JSON.stringify(given.claim.slice(0, 80))} in that trial`);
  const { label, rationale } = found.judgment;
  const scenario = (await context.reads.scenario(run.runId, given.position))?.id ?? "";
  await store.putLabel({
    id: given.id,
    at: new Date(context.now()).toISOString(),
    label: given.label,
    note: given.note,
    output: found.output,
    reference: found.reference,
    claim: found.claim,
    judged: { label, rationale, fingerprint: run.head?.judge?.fingerprint },
    from: { ...key, suiteId: run.suiteId, scenario, turn: given.turn },
    drawn: given.drawn,
  });
  return { id: given.id, judged: { label, rationale } };
}
