// Owns the rendering of evidence for a judge: every tool call on lines of its own, bounded in size, and never cut without a mark.

import type { Evidence, Observable, ToolCall } from "../core/evidence.ts";

export interface RenderedEvidence {
  readonly text: string;
  /** Characters of arguments, results and whole calls that were left out; each place is marked. 0 where all is shown. */
  readonly leftOut: number;
}

/** In characters; the output of the agent is not part of it, and is never cut. */
export const MAX_EVIDENCE_LENGTH = 50_000;
/** A value is not cut below this: a shorter one would show nothing. */
const LEAST_VALUE = 80;

interface Call {
  readonly head: string;
  /** Argument text, result text: what may be long. */
  readonly values: readonly (readonly [name: string, json: string])[];
}

/**
 * The calls in the order of cause, at most `maxLength` characters. Each argument and result is JSON on one line, so nothing in it can look like another
 * call. Where all is too long, the longest values lose their middle first; where even that does not do, calls of the middle are left out. `""` for
 * no evidence.
 */
export function renderEvidence(evidence: Evidence | undefined, maxLength: number = MAX_EVIDENCE_LENGTH): RenderedEvidence {
  if (evidence === undefined) return { text: "", leftOut: 0 };
  const notes = notesOf(evidence);
  const numbers = new Map(evidence.toolCalls.map((call, at) => [call.toolCallId, at + 1]));
  const calls = evidence.toolCalls.map((call, at) => renderCall(call, at + 1, numbers));
  const whole = join(notes, calls.map((call) => textOf(call, Number.POSITIVE_INFINITY).text));
  if (whole.length <= maxLength) return { text: whole, leftOut: 0 };

  const longest = Math.max(...calls.flatMap(({ values }) => values.map(([, json]) => json.length)));
  const cutTo = (most: number): RenderedEvidence => {
    const cut = calls.map((call) => textOf(call, most));
    return { text: join(notes, cut.map(({ text }) => text)), leftOut: cut.reduce((sum, { leftOut }) => sum + leftOut, 0) };
  };
  // The largest length of a value with which everything fits.
  let [fits, tooLong] = [LEAST_VALUE, longest];
  if (cutTo(fits).text.length > maxLength) return withoutMiddle(notes, calls, maxLength);
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (cutTo(middle).text.length <= maxLength) fits = middle;
    else tooLong = middle;
  }
  return cutTo(fits);
}

/** What nobody saw must not look as if it had not been. */
const UNSEEN: Readonly<Partial<Record<Observable, string>>> = { args: "arguments", results: "results", parents: "which call made which", approvals: "approvals" };

function notesOf({ toolCalls, ended, observes }: Evidence): readonly string[] {
  const unseen = (Object.keys(UNSEEN) as Observable[]).filter((what) => !observes[what]).map((what) => UNSEEN[what]);
  return [
    ...(toolCalls.length === 0 ? ["No tool call was seen."] : []),
    ...(ended ? [] : ["The run was not seen to its end, so later calls may be missing."]),
    ...(unseen.length === 0 ? [] : [`Not observed: ${unseen.join(", ")}.`]),
  ];
}

const PLAIN_NAME = /^[\w.:/-]{1,80}$/;

function renderCall(call: ToolCall, number: number, numbers: ReadonlyMap<string, number>): Call {
  const name = PLAIN_NAME.test(call.toolName) ? call.toolName : JSON.stringify(call.toolName);
  const parent = call.parentToolCallId === undefined ? undefined : numbers.get(call.parentToolCallId);
  const said = [
    ...(parent === undefined ? [] : [`made by call ${parent}`]),
    ...(call.approval === undefined ? [] : [`approval ${call.approval}`]),
    ...(call.completed ? [] : ["no end was seen"]),
    ...(call.endedLate === true ? ["ended after the run"] : []),
    ...(call.bounds?.truncated === true ? [`truncated: ${call.bounds.returned} of ${call.bounds.total ?? "an unknown number"} returned`] : []),
  ];
  const values: [string, string][] = [["arguments", oneLine(call.argsJson)]];
  if (call.failure !== undefined) values.push([`failed (${call.failure.kind})`, JSON.stringify(call.failure.error.message)]);
  if (call.resultJson !== undefined) values.push(["result", oneLine(call.resultJson)]);
  else if (call.resultOmitted !== undefined) values.push(["result", "(left out by its source)"]);
  return { head: `${number}. ${name}${said.length === 0 ? "" : ` (${said.join("; ")})`}`, values };
}

/** Canonical JSON as it is; what is no JSON, or has a line end, as a JSON text. */
function oneLine(text: string): string {
  if (!/[\n\r\u0085\u2028\u2029]/.test(text)) {
    try {
      JSON.parse(text);
      return text;
    } catch {
      // Not JSON.
    }
  }
  return JSON.stringify(text);
}

function textOf({ head, values }: Call, most: number): RenderedEvidence {
  let text = head;
  let leftOut = 0;
  for (const [name, json] of values) {
    const cut = json.length > most ? cutMiddle(json, most) : { text: json, leftOut: 0 };
    text += `\n   ${name}: ${cut.text}`;
    leftOut += cut.leftOut;
  }
  return { text, leftOut };
}

/** Its beginning and its end, each half: what was said last matters as much as what was said first. */
function cutMiddle(text: string, most: number): RenderedEvidence {
  const start = wholeAt(text, Math.ceil(most / 2));
  const end = wholeAt(text, text.length - Math.floor(most / 2));
  return { text: `${text.slice(0, start)}[… ${end - start} of ${text.length} characters left out]${text.slice(end)}`, leftOut: end - start };
}

/** `at`, or one before it where that would part a surrogate pair. */
function wholeAt(text: string, at: number): number {
  return at > 0 && /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at;
}

function withoutMiddle(notes: readonly string[], calls: readonly Call[], maxLength: number): RenderedEvidence {
  const shown = calls.map((call) => textOf(call, LEAST_VALUE));
  const mark = (from: number, to: number): string => `[… ${to - from} of ${calls.length} calls left out]`;
  let [from, to] = [0, calls.length];
  let length = join(notes, [mark(0, calls.length)]).length;
  const take = (at: number): boolean => {
    const more = (shown[at]?.text.length ?? 0) + 1;
    if (length + more > maxLength) return false;
    length += more;
    return true;
  };
  // From both ends, in turn.
  while (from < to) {
    if (!take(from)) break;
    from += 1;
    if (from === to || !take(to - 1)) break;
    to -= 1;
  }
  const kept = [...shown.slice(0, from), { text: mark(from, to), leftOut: 0 }, ...shown.slice(to)];
  const gone = calls.slice(from, to).reduce((sum, call) => sum + textOf(call, Number.POSITIVE_INFINITY).text.length, 0);
  return { text: join(notes, kept.map(({ text }) => text)), leftOut: gone + kept.reduce((sum, { leftOut }) => sum + leftOut, 0) };
}

function join(notes: readonly string[], calls: readonly string[]): string {
  return [...notes, ...calls].join("\n");
}
