// Owns one run of a tree: its parts in, Entail's events out. What an agent's step says and calls is kept until something proves that the step
// stands, so that what Mastra retracts never becomes evidence.

import type { StreamEvent } from "../../core/event.ts";
import { member, textMember } from "../../core/member.ts";
import { wireSafe } from "../../core/wire-safe.ts";
import { canonicalJson, sameJson } from "../../json/write-json.ts";
import { argumentMembers, type ArgumentMembers } from "../../message/event-payload.ts";
import { callEvents, type EventBase } from "./call-events.ts";
import { callLedger, type Call } from "./call-ledger.ts";
import { readChunk } from "./chunk.ts";
import type { CallPart, DecisionPart, End, EndPart, Part, RequestPart, SeenEnd } from "./part.ts";
import type { Tree } from "./tree.ts";

export interface Run {
  /** The events of a chunk. */
  take(chunk: unknown): StreamEvent[];
  accept(part: Part): StreamEvent[];
  /** What is left to say of calls once the run has stopped, or has broken. */
  rest(): StreamEvent[];
  /** What was said in each step that stands, and last in one that was not finished. */
  readonly texts: readonly string[];
  /** The texts of the last step that stands, those included that were retracted while it went on. */
  readonly lastStepWrote: string;
  /** Whether the last step that stands began in this run. */
  readonly lastStepWhole: boolean;
  readonly stepsEnded: number;
  readonly end: SeenEnd | undefined;
  readonly calls: readonly Call[];
  /** True where this run, or one within it, waits for an answer. */
  readonly waits: boolean;
}

/** By what a chunk says that it is of: a call may run several agents side by side. */
export type NestedRuns = Map<string, Run>;

type Entry = { readonly kind: "call"; readonly call: Call } | { readonly kind: "end"; readonly call: Call; readonly end: End; readonly toolName: string | undefined };

const BACKGROUND = "Background task started";

/** Who a chunk of Mastra's says that it is from. A tool may give out objects of its own that look like one otherwise. */
const FROM: ReadonlySet<string> = new Set(["AGENT", "USER", "SYSTEM", "WORKFLOW", "NETWORK"]);
const isChunk = (value: unknown): boolean => textMember(value, "type") !== undefined && FROM.has(textMember(value, "from") ?? "");

/** A value in a warning. */
const shown = (value: unknown): string => canonicalJson(wireSafe(value) ?? null).slice(0, 200);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function createRun(tree: Tree, runId: string, parent: Call | undefined): Run {
  const { warnings } = tree;
  const base: EventBase = { runId, ...(tree.sessionId === undefined ? {} : { sessionId: tree.sessionId }) };
  const ledger = callLedger(warnings);
  const say = callEvents(tree, base);
  /** The arguments of calls, as far as they were streamed. */
  const inputs = new Map<string, string>();
  const texts: string[] = [];
  let entries: Entry[] = [];
  let stepOpen = false;
  let stepsStarted = 0;
  let stepsEnded = 0;
  let text = "";
  /** The text of the open step, what was retracted of it included. */
  let wrote = "";
  let lastStepWrote = "";
  let lastStepWhole = false;
  let lastError: unknown;
  let end: SeenEnd | undefined;

  const commit = (): StreamEvent[] => {
    const kept = entries;
    entries = [];
    return kept.flatMap((entry) => {
      // Where somebody is asked to allow it, the start comes with the decision.
      if (entry.kind === "end") return [...say.start(entry.call), ...say.end(entry.call, entry.end, entry.toolName)];
      return entry.call.asked?.by === "approval" && entry.call.asked.state === "pending" ? [] : say.start(entry.call);
    });
  };

  /** Takes back what no longer stands; a call that was executed has happened. */
  const retract = (): void => {
    const executed = new Set(entries.flatMap((entry) => (entry.kind === "end" ? [entry.call] : [])));
    for (const { kind, call } of entries) {
      if (kind !== "call" || executed.has(call)) continue;
      warnings.add("call_retracted", `a call of ${JSON.stringify(call.toolName)} that had not been executed was retracted with its step`);
      ledger.drop(call);
      tree.dropId(call.id);
    }
    entries = entries.filter(({ call }) => executed.has(call));
    if (text !== "") warnings.add("text_retracted", "text of a step was retracted; it is not part of the answer");
    text = "";
    inputs.clear();
  };

  const argumentsOf = ({ rawId, toolName, args, argsJson }: CallPart): ArgumentMembers => {
    const written = argsJson ?? (rawId === "" ? undefined : inputs.get(rawId));
    inputs.delete(rawId);
    const unreadable = written !== undefined && written.trim() !== "" && !isJson(written);
    if (unreadable) warnings.add("arguments_unreadable", `the arguments of a call of ${JSON.stringify(toolName)} are no JSON; Mastra gave the tool an empty object instead`);
    return argumentMembers(written, args, unreadable);
  };

  /** The step that `plan.inc` is within, where that is open. */
  const enclosing = (toolName: string): Call | undefined => {
    for (let at = toolName.lastIndexOf("."); at > 0; at = toolName.lastIndexOf(".", at - 1)) {
      const found = ledger.findByName(toolName.slice(0, at));
      if (found?.said.start === true) return found;
    }
    return undefined;
  };

  const issue = (part: CallPart): Call => {
    const { rawId, toolName } = part;
    const within = part.step ? (enclosing(toolName) ?? parent) : parent;
    if (rawId === "" && !part.step) warnings.add("call_id_missing", `a call of ${JSON.stringify(toolName)} came without an id; it was given one that begins with "made-up:"`);
    const wanted = rawId === "" ? "" : `${parent === undefined ? "" : `${parent.id}/`}${rawId}`;
    const call = ledger.add({ part, arguments: argumentsOf(part), id: tree.freshId(wanted), parentId: within?.id, step: stepsStarted, started: tree.before(wanted) === "open" });
    const decision = tree.decided.find(({ toolCallId }) => toolCallId === call.id);
    if (decision !== undefined) call.asked = { by: "approval", state: decision.approved ? "approved" : "denied" };
    return call;
  };

  /** A call that only its end, its output or the question about it tells of: one of an earlier run, or of a stream that began later. */
  const adopt = (rawId: string, toolName: string | undefined, args: unknown): Call =>
    issue({ kind: "call", rawId, toolName: toolName ?? "", args, providerExecuted: false, step: false });

  const isDone = (rawId: string): boolean => rawId !== "" && tree.before(`${parent === undefined ? "" : `${parent.id}/`}${rawId}`) === "done";

  const takeCall = (part: CallPart): StreamEvent[] => {
    if (ledger.repeated(part, stepsStarted) !== undefined) {
      warnings.add("call_repeated", `the call ${JSON.stringify(part.rawId)} of ${JSON.stringify(part.toolName)} came twice; it counts once`);
      return [];
    }
    if (isDone(part.rawId)) return [];
    entries.push({ kind: "call", call: issue(part) });
    return stepOpen ? [] : commit();
  };

  const repeatedEnd = ({ rawId, end: again }: EndPart, { ended, toolName }: Call): void => {
    if (ended === undefined || (ended.kind === again.kind && sameJson(ended.value, again.value))) return;
    warnings.add("result_repeated", `the call ${JSON.stringify(rawId)} of ${JSON.stringify(toolName)} ended a second time, first with ${shown(ended.value)}, then with ${shown(again.value)}; the first end counts`);
  };

  const takeEnd = (part: EndPart): StreamEvent[] => {
    const { rawId, toolName, args } = part;
    const found = ledger.find(rawId, toolName, args);
    if (found === "ambiguous" || (found === undefined && rawId === "")) {
      warnings.add("result_unmatched", `a result of ${JSON.stringify(toolName ?? "")} cannot be told to belong to one call; it is not evidence`);
      return [];
    }
    if (found === undefined) {
      const before = ledger.findEnded(rawId);
      if (before !== undefined) repeatedEnd(part, before);
      if (before !== undefined || isDone(rawId)) return [];
    }
    const call = found ?? adopt(rawId, toolName, args);
    if (call.background && part.end.kind === "result" && typeof part.end.value === "string" && part.end.value.startsWith(BACKGROUND)) {
      return [...commit(), ...say.start(call), ...say.progress(call, part.end.value)];
    }
    call.ended = part.end;
    if (part.end.kind === "error") lastError = part.end.value;
    // A provider's own call ends while the model still writes.
    if (stepOpen && call.providerExecuted) {
      entries.push({ kind: "end", call, end: part.end, toolName });
      return [];
    }
    const events = [...commit(), ...permitted(call), ...say.start(call), ...[...call.runs.values()].flatMap((run) => run.rest())];
    return [...events, ...say.end(call, part.end, toolName)];
  };

  /** The decision that an end implies: nothing but a granted approval lets a call go on that was asked for. */
  const permitted = (call: Call): StreamEvent[] => {
    const asked = call.asked?.by === "approval" && call.asked.state === "pending";
    if (!asked && tree.before(call.id) !== "asked") return [];
    call.asked = { by: "approval", state: "approved" };
    return say.decision(call, true, undefined);
  };

  const takeOutput = (rawId: string, toolName: string | undefined, output: unknown): StreamEvent[] => {
    const found = rawId === "" && toolName !== undefined ? ledger.findByName(toolName) : ledger.find(rawId, toolName);
    if (found === "ambiguous" || (found === undefined && rawId === "")) return [];
    const call = found ?? ledger.findEnded(rawId) ?? adopt(rawId, toolName, undefined);
    const events = [...commit(), ...permitted(call), ...say.start(call)];
    const key = textMember(output, "runId") ?? "";
    if (!isChunk(output)) return [...events, ...say.progress(call, output)];
    let run = call.runs.get(key);
    if (run === undefined) call.runs.set(key, (run = createRun(tree, `${tree.runId}/${call.id}${call.runs.size === 0 ? "" : `#${call.runs.size + 1}`}`, call)));
    return [...events, ...run.take(output)];
  };

  const takeRequest = (part: RequestPart): StreamEvent[] => {
    const { rawId, toolName, args, by } = part;
    const found = ledger.find(rawId);
    const call = (found === "ambiguous" ? undefined : found) ?? (rawId === "" ? undefined : adopt(rawId, toolName, args));
    if (call === undefined) {
      warnings.add("approval_unmatched", `somebody was asked about a call that is not known: ${JSON.stringify(toolName)}`);
      return [];
    }
    // A run within the call was asked about already; its parent says it again.
    if ([...call.runs.values()].some((run) => run.waits) || call.asked?.state === "pending") return [...commit(), ...say.start(call)];
    const inner = member(part.payload, "toolCallId") === undefined ? undefined : part.payload;
    if (inner !== undefined || (toolName !== "" && toolName !== call.toolName)) {
      return [...commit(), ...say.start(call), ...askWithin(call, { kind: "request", rawId: textMember(inner, "toolCallId") ?? toolName, toolName: textMember(inner, "toolName") ?? toolName, args: inner === undefined ? args : member(inner, "args"), by: "approval" })];
    }
    call.asked = { by, state: "pending" };
    return [...commit(), ...(by === "suspension" ? say.start(call) : []), ...say.confirmation(call, part)];
  };

  /** A question about a call within `call` whose run was not streamed. */
  const askWithin = (call: Call, request: RequestPart): StreamEvent[] => {
    const run = createRun(tree, `${tree.runId}/${call.id}`, call);
    call.runs.set("", run);
    return run.accept(request);
  };

  const decide = ({ rawId, toolName, args, approved, reason }: DecisionPart): StreamEvent[] => {
    const found = ledger.find(rawId, toolName, args);
    const call = found === "ambiguous" ? undefined : (found ?? (rawId === "" ? undefined : adopt(rawId, toolName, args)));
    if (call === undefined) {
      warnings.add("approval_unmatched", `somebody decided about a call that is not known: ${JSON.stringify(toolName ?? "")}`);
      return [];
    }
    call.asked = { by: call.asked?.by ?? "approval", state: approved ? "approved" : "denied" };
    return [...commit(), ...say.decision(call, approved, reason), ...say.start(call)];
  };

  const endStep = (usage: unknown, retracted: boolean): StreamEvent[] => {
    tree.usage(usage);
    stepsEnded += 1;
    if (retracted) retract();
    const events = commit();
    texts.push(text);
    lastStepWrote = wrote;
    lastStepWhole = stepOpen;
    text = wrote = "";
    stepOpen = false;
    inputs.clear();
    return events;
  };

  const accept = (part: Part): StreamEvent[] => {
    switch (part.kind) {
      case "text":
        text += part.text;
        wrote += part.text;
        return [];
      case "input_start":
        inputs.set(part.rawId, "");
        return [];
      case "input_delta":
        inputs.set(part.rawId, (inputs.get(part.rawId) ?? "") + part.delta);
        return part.delta === "" || parent !== undefined ? [] : [{ ...base, type: "tool_call_args_delta", toolCallId: part.rawId, delta: part.delta }];
      case "call":
        return takeCall(part);
      case "end":
        return takeEnd(part);
      case "output":
        return takeOutput(part.rawId, part.toolName, part.output);
      case "request":
        return takeRequest(part);
      case "decision":
        return decide(part);
      case "background": {
        const found = ledger.find(part.rawId);
        if (found !== undefined && found !== "ambiguous") found.background = true;
        return commit();
      }
      case "step_start":
        // A step that begins before the one before it has finished is that one, tried again with another model.
        if (stepOpen) retract();
        else wrote = text;
        stepOpen = true;
        stepsStarted += 1;
        return commit();
      case "step_end":
        return endStep(part.usage, part.retracted);
      case "usage":
        tree.usage(part.usage);
        return [];
      case "end_of_run":
        return endRun(part.end);
      case "unknown":
        warnings.add("chunk_unknown", `a chunk of the unknown type ${JSON.stringify(part.type)} was left out`);
        // The collector counts what it does not know, so that evidence shows it too.
        return [{ ...base, type: `mastra:${part.type}` } as unknown as StreamEvent];
      default:
        return part satisfies never;
    }
  };

  const endRun = (seen: SeenEnd): StreamEvent[] => {
    // Neither an abort nor an error is overruled by a finish.
    if (end?.kind === "failed" || end?.kind === "aborted" || (end?.kind === "tripwire" && seen.kind !== "failed")) return [];
    if (seen.kind === "tripwire" && stepOpen) retract();
    end = seen.kind === "failed" && seen.error === undefined ? { kind: "failed", error: lastError } : seen;
    return [];
  };

  return {
    take: (chunk) => readChunk(chunk, tree.answer).flatMap(accept),
    accept,
    rest: () => [...commit(), ...ledger.all().flatMap((call) => [...call.runs.values()].flatMap((run) => run.rest()))],
    get texts() {
      return [...texts, text];
    },
    get lastStepWrote() {
      return lastStepWrote;
    },
    get lastStepWhole() {
      return lastStepWhole;
    },
    get stepsEnded() {
      return stepsEnded;
    },
    get end() {
      return end;
    },
    get calls() {
      return ledger.all();
    },
    get waits() {
      return ledger.all().some((call) => (call.asked?.state === "pending" && call.ended === undefined) || [...call.runs.values()].some((run) => run.waits));
    },
  };
}
