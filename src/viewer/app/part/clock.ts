// Owns where calls stand on their turn's clock: bars from the times that are known, in percent of the turn.

import type { CallForm, TurnForm } from "../../answer/form.ts";
import { ticksOf } from "./chart-scale.ts";

export type TurnClock = NonNullable<TurnForm["clock"]>;

/** From and to, in milliseconds of the turn. */
export type Span = readonly [from: number, to: number];

export interface CallTimes {
  /** While it ran; without an end where none was seen, to the end of the turn then. */
  readonly ran: readonly Span[];
  /** While somebody was asked. */
  readonly waited: readonly Span[];
  /** How long it ran, without the waiting; absent where its end was not seen. */
  readonly ms?: number | undefined;
}

/** `undefined` where no time of the call is known. */
export function timesOf({ startedMs, endedMs, askedMs, decidedMs, completed }: CallForm, [from, ms]: TurnClock): CallTimes | undefined {
  const at = (moment: number): number => Math.min(ms, Math.max(0, moment - from));
  const told = endedMs ?? (completed ? startedMs : from + ms);
  // What a store holds may come from anywhere: nothing ends before it began.
  const end = told === undefined ? undefined : Math.max(told, startedMs ?? told);
  // A decision that nobody told of was taken before the call could start or end.
  const until = decidedMs ?? (startedMs !== undefined && askedMs !== undefined && startedMs > askedMs ? startedMs : end);
  const waited: Span | undefined = askedMs === undefined || until === undefined || until <= askedMs ? undefined : [askedMs, until];
  if (startedMs === undefined || end === undefined) return waited && { ran: [], waited: [[at(waited[0]), at(waited[1])]] };
  const within = waited === undefined || waited[0] < startedMs || waited[1] > end ? undefined : waited;
  const pieces: readonly Span[] = within === undefined ? [[startedMs, end]] : [[startedMs, within[0]], [within[1], end]];
  const ran = pieces.filter(([a, b], index) => b > a || (index === 0 && pieces.length === 1));
  return {
    ran: ran.map(([a, b]) => [at(a), at(b)]),
    waited: waited === undefined ? [] : [[at(waited[0]), at(waited[1])]],
    ms: endedMs === undefined ? undefined : ran.reduce((sum, [a, b]) => sum + b - a, 0),
  };
}

/** What is left of the turn when the calls of the agent itself, and the waiting for them, are taken out: the model's time. */
export function modelSpans(calls: readonly CallForm[], clock: TurnClock): readonly Span[] {
  const taken = calls
    .filter(({ depth }) => depth === 0)
    .flatMap((call) => timesOf(call, clock) ?? [])
    .flatMap(({ ran, waited }) => [...ran, ...waited])
    .toSorted((a, b) => a[0] - b[0]);
  const left: Span[] = [];
  let from = 0;
  for (const [a, b] of taken) {
    if (a > from) left.push([from, a]);
    from = Math.max(from, b);
  }
  if (clock[1] > from) left.push([from, clock[1]]);
  return left;
}

/** `0.35 s`, for a column of them; what is shorter than the second digit in milliseconds. */
export const seconds = (ms: number): string => (ms < 9.5 ? `${Math.round(ms)} ms` : ms < 99_950 ? `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s` : `${Math.round(ms / 1000)} s`);

/** Round parts of the turn, about five of them, with their names: in seconds, or in milliseconds for a turn of less than one. */
export const axisTicks = (ms: number): readonly { readonly at: number; readonly name: string }[] =>
  ticksOf(0, ms)
    .filter((at) => at <= ms * 0.95)
    .map((at) => ({ at, name: `${ms < 1000 ? at : at / 1000}${at === 0 ? (ms < 1000 ? " ms" : " s") : ""}` }));
