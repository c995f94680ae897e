// Owns the reading of data: every item is checked, in order, before anything is called.

import { type Claim, validateClaims } from "../core/claim.ts";
import { EntailError, messageOf } from "../core/error.ts";
import { isItemId } from "../core/identifier.ts";
import { listOf, member, namesOf, recordOf } from "../core/member.ts";
import { didYouMean } from "../core/nearest.ts";
import type { DataItem, EvalTurn } from "./data-item.ts";
import { itemIds } from "./item-id.ts";
import { type Measure, readMeasures } from "./measure.ts";
import type { TurnPlayer } from "./simulated-user.ts";
import type { ScriptedTurn } from "./talk.ts";
import { APPROVALS, type ApprovalPolicy } from "./turn.ts";

export interface ReadTurn extends ScriptedTurn {
  readonly id?: string | undefined;
  readonly gates: readonly Measure[];
  readonly scorers: readonly Measure[];
  readonly claims: readonly Claim[];
  readonly reference?: string | undefined;
  /** Where the turn has its own. */
  readonly groundTruth?: { readonly value: unknown } | undefined;
}

export interface ReadItem {
  /** From 0. */
  readonly index: number;
  readonly id: string;
  /** `turns`: what must hold is said turn by turn. */
  readonly form: "input" | "inputs" | "turns" | "played";
  readonly script: readonly ReadTurn[];
  readonly player?: TurnPlayer | undefined;
  readonly claims: readonly Claim[];
  /** As it was given. */
  readonly item: DataItem;
}

export interface ReadDataOptions {
  /** A workflow takes one input. */
  readonly workflow: boolean;
  /** Told of members that nobody reads. */
  readonly warn: (code: string, message: string) => void;
}

const NONE: readonly never[] = Object.freeze([]);
const ITEM_MEMBERS = [
  "id", "input", "inputs", "turns", "user", "description", "tags", "groundTruth", "expectedTrajectory", "requestContext", "claims", "reference", "targetOptions", "startOptions",
  "tracingContext", "tracing", "loggerVNext", "metrics", "approvals", "timeoutMs", "trials", "require", "skip", "knownFailure", "metadata",
] as const;
const TURN_MEMBERS = ["id", "input", "gates", "scorers", "claims", "reference", "groundTruth", "approvals"] as const satisfies readonly (keyof EvalTurn)[];

function invalid(place: string, what: string, id = "INVALID_DATA_ITEM"): EntailError {
  return new EntailError("data_invalid", `${place} ${what}`, { stage: "selection", id });
}

/** Throws `data_invalid` with Mastra's id for the first item at fault, and `scorer_invalid` for a gate or scorer that is none. */
export function readData(data: unknown, options: ReadDataOptions): readonly ReadItem[] {
  if (!Array.isArray(data) || data.length === 0) throw invalid("data", "must be a list of items that is not empty", "RUN_EXPERIMENT_FAILED_NO_DATA_PROVIDED");
  const items = (data as readonly unknown[]).map((item, at) => readItem(item, `data[${at}]`, options));
  const ids = itemIds(items.map(({ given, identity }) => ({ given, identity })));
  return items.map(({ form, script, player, claims, item }, index) => ({ index, id: ids[index] as string, form, script, player, claims, item }));
}

type Unnamed = Omit<ReadItem, "index" | "id"> & { readonly given: string | undefined; readonly identity: unknown };

function readItem(item: unknown, place: string, { workflow, warn }: ReadDataOptions): Unnamed {
  const has = (name: string): boolean => recordOf(item) !== undefined && name in (item as object);
  const forms = ["input", "inputs", "turns", "user"].filter(has);
  if (forms.length === 0) throw invalid(place, "must have 'input', 'inputs' or 'turns', or a 'user' who is played");
  const given = item as DataItem;
  let script: readonly ReadTurn[];
  let form: ReadItem["form"] = "input";
  if (has("inputs")) {
    const inputs: unknown = given.inputs;
    if (!Array.isArray(inputs) || inputs.length === 0) throw invalid(place, "needs as 'inputs' a non-empty array");
    if (workflow) throw invalid(place, "has 'inputs', and a workflow takes one 'input'");
    form = "inputs";
    script = inputs.map(bareTurn);
  } else script = has("input") ? [bareTurn(given.input)] : [];
  if (has("turns")) {
    if (workflow) throw invalid(place, "has 'turns', and a workflow takes one 'input'");
    const other = ["input", "inputs"].find(has);
    if (other !== undefined) throw invalid(place, `has 'turns', which cannot be combined with '${other}'`);
    const turns: unknown = given.turns;
    if (!Array.isArray(turns) || turns.length === 0) throw invalid(place, "needs as 'turns' a non-empty array");
    form = "turns";
    script = turns.map((turn, at) => readTurn(turn, `${place}.turns[${at}]`, warn));
  }
  const player = has("user") ? readPlayer(given.user, place) : undefined;
  if (player !== undefined) {
    if (workflow) throw invalid(place, "has a 'user', and a workflow takes one 'input'");
    if (form !== "input") throw invalid(place, `has a 'user', who cannot be combined with '${form}'; an 'input' is the opening line`);
    form = "played";
  }
  if (form === "input" && typeof given.input === "function" && workflow) throw invalid(place, "has a function as its input, and a workflow takes a value");
  unknownMembers(item, ITEM_MEMBERS, place, warn);
  approvalsOf(item, place);
  return { form, script, player, claims: readClaims(given.claims, place), item: given, given: readId(given.id, place), identity: identityOf(given, form) };
}

function bareTurn(input: unknown): ReadTurn {
  return { input, gates: NONE, scorers: NONE, claims: NONE };
}

function readTurn(turn: unknown, place: string, warn: ReadDataOptions["warn"]): ReadTurn {
  if (recordOf(turn) === undefined || !("input" in (turn as object))) throw invalid(place, "must be an object with an 'input'");
  const given = turn as EvalTurn;
  unknownMembers(turn, TURN_MEMBERS, place, warn);
  const { id, reference } = given;
  if (id !== undefined && (typeof id !== "string" || !isItemId(id))) throw invalid(place, "needs as 'id' a text of 1 to 200 characters without control characters");
  if (reference !== undefined && typeof reference !== "string") throw invalid(place, "needs a text as 'reference'");
  return {
    input: given.input,
    ...(id !== undefined && { id }),
    gates: readMeasures(given.gates, "gate", `${place}.gates`),
    scorers: readMeasures(given.scorers, "scorer", `${place}.scorers`),
    claims: readClaims(given.claims, place),
    ...(reference !== undefined && { reference }),
    ...("groundTruth" in given && { groundTruth: { value: given.groundTruth } }),
    approvals: approvalsOf(turn, place),
  };
}

function approvalsOf(value: unknown, place: string): ApprovalPolicy | undefined {
  const approvals = member(value, "approvals");
  if (approvals === undefined || (APPROVALS as readonly unknown[]).includes(approvals)) return approvals as ApprovalPolicy | undefined;
  throw invalid(place, `needs as 'approvals' one of ${APPROVALS.join(", ")}`);
}

function readPlayer(user: unknown, place: string): TurnPlayer {
  const maxTurns = member(user, "maxTurns");
  if (typeof member(user, "next") !== "function") throw invalid(place, "needs as 'user' a player: an object with next() and maxTurns");
  if (!(Number.isSafeInteger(maxTurns) && (maxTurns as number) > 0)) throw invalid(place, "needs a positive whole number as its user's maxTurns");
  return user as TurnPlayer;
}

function readClaims(claims: unknown, place: string): readonly Claim[] {
  if (claims === undefined) return NONE;
  const list = listOf(claims);
  if (list === undefined) throw invalid(place, "needs a list as its 'claims'");
  try {
    validateClaims(list as readonly Claim[]);
  } catch (thrown) {
    throw invalid(`${place}.claims:`, messageOf(thrown));
  }
  return list as readonly Claim[];
}

function readId(id: unknown, place: string): string | undefined {
  if (id === undefined) return undefined;
  // A table may hold numbers for ids.
  const text = typeof id === "number" && Number.isFinite(id) ? String(id) : id;
  if (typeof text === "string" && isItemId(text)) return text;
  throw invalid(place, "needs as 'id' a text of 1 to 200 characters without control characters");
}

/** A misspelt member would leave out what it was to check. */
function unknownMembers(value: unknown, known: readonly string[], place: string, warn: ReadDataOptions["warn"]): void {
  for (const name of namesOf(value)) {
    if (!known.includes(name)) warn("data_member_unknown", `${place.replace(/\[\d+\]/g, "[…]")} has a member ${JSON.stringify(name)}, which nobody reads${didYouMean(name, known)}`);
  }
}

/** What makes the item what it is. */
function identityOf({ input, inputs, turns, user }: DataItem, form: ReadItem["form"]): unknown {
  if (form === "input") return input;
  if (form === "inputs") return inputs;
  return form === "turns" ? turns?.map((turn) => turn.input) : { input, user };
}
