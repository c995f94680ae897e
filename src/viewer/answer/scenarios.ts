// Owns the rows of a run, page by page, each of at most 300 bytes, and where one row stands among the others.

import type { ScenarioRow } from "../../core/store.ts";
import { outcomesByScenario, referenceOf } from "./against.ts";
import type { AnswerContext } from "./context.ts";
import type { NearAnswer, ScenarioRowForm, ScenariosAnswer } from "./form.ts";
import { outcomeLetter } from "./outcome-letter.ts";
import { listQuery, wholeNumber } from "./query.ts";
import { requireRun } from "./run.ts";
import { everyRow } from "./rows.ts";

const ROW_BYTES = 300;
const STRIP = 12;
const PAGE = 200;

export async function answerScenarios(context: AnswerContext, text: string, query: URLSearchParams): Promise<ScenariosAnswer> {
  const run = await requireRun(context, text);
  const from = wholeNumber(query.get("from")) ?? 0;
  const limit = Math.min(Math.max(wholeNumber(query.get("n")) ?? PAGE, 1), PAGE);
  const { rows, total, counts } = await context.reads.scenarios(run.runId, { ...listQuery(query), from, limit });
  const reference = await referenceOf(context, run);
  const then = reference && (await outcomesByScenario(context, reference.run));
  return { rows: rows.map((row) => rowForm(row, then?.get(row.id))), from, total, counts };
}

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length;

export function rowForm(row: ScenarioRow, was: ScenarioRowForm["b"]): ScenarioRowForm {
  const form: ScenarioRowForm = {
    p: row.position,
    i: row.id,
    o: row.outcome,
    d: row.durationMs === undefined ? undefined : Number(row.durationMs.toPrecision(4)),
    c: row.cost === undefined ? undefined : Number(row.cost.toPrecision(4)),
    t: row.trials.slice(0, STRIP).map(outcomeLetter).join(""),
    m: row.trials.length > STRIP ? row.trials.length : undefined,
    k: row.claims && [row.claims.held, row.claims.of],
    u: row.turns && [row.turns.held, row.turns.of],
    b: was,
  };
  if (row.reason === undefined) return form;
  // What JSON adds around a reason: `,"w":""`.
  const room = ROW_BYTES - bytesOf(form) - 7;
  return { ...form, w: cutToBytes(row.reason, Math.max(room, 24)) };
}

/** The longest beginning that takes no more bytes of JSON, with an ellipsis where something is missing. */
function cutToBytes(text: string, most: number): string {
  if (bytesOf(text) - 2 <= most) return text;
  let kept = "";
  let size = 3;
  for (const character of text) {
    size += bytesOf(character) - 2;
    if (size > most) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Rows that are gone through one by one for a place in a list that is sorted by anything but position. */
const LOOKED_AT = 20_000;

/** The place of a scenario in a list, and its neighbours there; an index of -1 where it is not in it, or too far down to be looked for. */
export async function answerNear(context: AnswerContext, text: string, scenarioId: string, query: URLSearchParams): Promise<NearAnswer> {
  const run = await requireRun(context, text);
  const list = listQuery(query);
  const sorted = list.sort === undefined || list.sort === "position";
  const index = sorted ? await placeByPosition(context, run.runId, await context.reads.positionOf(run.runId, scenarioId), list) : await placeByLooking(context, run.runId, scenarioId, list);
  const { rows, total } = await context.reads.scenarios(run.runId, { ...list, from: Math.max(0, index - 1), limit: 3 });
  if (index === -1) return { index, total };
  const own = rows.findIndex(({ id }) => id === scenarioId);
  return { index, total, previous: rows[own - 1]?.id, next: rows[own + 1]?.id };
}

type List = ReturnType<typeof listQuery>;

/** Positions grow along the list, so that a few looks find one. */
async function placeByPosition({ reads }: AnswerContext, runId: string, position: number | undefined, list: List): Promise<number> {
  if (position === undefined) return -1;
  let low = 0;
  let high = (await reads.scenarios(runId, { ...list, limit: 1 })).total - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = (await reads.scenarios(runId, { ...list, from: middle, limit: 1 })).rows[0]?.position;
    if (found === undefined) return -1;
    if (found === position) return middle;
    if (found < position) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

async function placeByLooking({ reads }: AnswerContext, runId: string, scenarioId: string, list: List): Promise<number> {
  let at = 0;
  for await (const { id } of everyRow(reads, runId, list)) {
    if (id === scenarioId) return at;
    at += 1;
    if (at >= LOOKED_AT) return -1;
  }
  return -1;
}
