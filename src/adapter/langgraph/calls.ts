// Owns the calls of a run as its chunks tell of them: who issued one, when its tool began, how it ended, and when it may be told.

import type { StreamEvent } from "../../core/event.ts";
import { member, textMember } from "../../core/member.ts";
import { sameJson } from "../../json/write-json.ts";
import type { CallEvents } from "./call-events.ts";
import { pathKey, type Path } from "./chunk.ts";
import { createLedger, type CallEnd, type SeenCall } from "./ledger.ts";
import { messagesWithin, readMessage, type ReadMessage } from "./message.ts";
import { failureText, jsonSafe, resultValue } from "./payload.ts";
import type { ServerEnd } from "./server-tool.ts";
import { enclosing, type Tasks } from "./task.ts";
import type { Earlier } from "./thread.ts";
import type { SeenMessage, Transcript } from "./transcript.ts";
import type { Warnings } from "./warning.ts";
import type { GraphWatch } from "./watch.ts";

export interface CallsOptions {
  readonly transcript: Transcript;
  readonly tasks: Tasks;
  readonly say: CallEvents;
  readonly earlier: Earlier;
  readonly watch: GraphWatch | undefined;
  readonly warnings: Warnings;
}

export interface Calls {
  /** Issues the calls of a message, once. */
  issue(message: SeenMessage): void;
  toolMessage(message: ReadMessage, path: Path): StreamEvent[];
  toolEvent(data: unknown, path: Path): StreamEvent[];
  serverEnd(end: ServerEnd): StreamEvent[];
  /** What ran these calls has ended without an interrupt. */
  settle(path: Path, rawIds: readonly string[]): void;
  /** Tells those calls of a graph that come next and are decided; with `force` also those that nothing runs. */
  tell(path: Path, force: boolean): StreamEvent[];
  /** Tells a call, whatever may still become of it. */
  tellNow(call: SeenCall): StreamEvent[];
  all(): readonly SeenCall[];
  within(path: Path): readonly SeenCall[];
}

/** The sentences with which LangGraph and LangChain answer a call that they do not run. */
const REFUSED = [/^Error: Tool ".*" not found\./s, /^Error: Received tool input did not match expected schema/, /^Error invoking tool .* with kwargs /s];

export function createCalls({ transcript, tasks, say, earlier, watch, warnings }: CallsOptions): Calls {
  const parents = new Map<string, SeenCall | undefined>();
  const told = new Map<string, number>();
  const toolMessages = new Set<string>();

  const parentOf = (path: Path): SeenCall | undefined => {
    const key = pathKey(path);
    if (path.length === 0) return undefined;
    if (!parents.has(key)) parents.set(key, findParent(path));
    return parents.get(key);
  };

  const ledger = createLedger({ earlier, parentOf, warnings });

  /** The call whose tool runs the graph at `path`; that of the graph around it where a node runs it. */
  const findParent = (path: Path): SeenCall | undefined => {
    const heard = watch?.callOf(path);
    if (heard !== undefined) return known(heard.path, heard.rawId);
    const around = enclosing(path);
    if (around === undefined) return undefined;
    const task = tasks.byId(around.taskId);
    const handed = task === undefined ? undefined : new Set(task.calls.map(({ rawId }) => rawId));
    const running = ledger.within(around.path).filter((call) => call.executing && call.end === undefined && (handed === undefined || handed.has(call.rawId)));
    if (running.length > 1) warnings.add("parent_unknown", `a graph ran within one of ${running.length} calls of ${JSON.stringify(running[0]?.toolName)}, and the stream does not say which; target() and watch() hear it`);
    return running.length === 1 ? running[0] : parentOf(around.path);
  };

  const known = (path: Path, rawId: string): SeenCall | undefined => {
    const call = ledger.byId(path, rawId);
    if (call !== undefined) return call;
    const message = rawId === "" ? undefined : transcript.holding(path, rawId);
    if (message === undefined) return undefined;
    issue(message);
    return ledger.byId(path, rawId);
  };

  const issue = (message: SeenMessage): void => {
    if (message.calls !== undefined) return;
    const issued: SeenCall[] = [];
    message.calls = issued;
    const { path, assembly, whole, serverCalls } = message;
    for (const { rawId, toolName, args, text } of serverCalls.values()) issued.push(ledger.issue(path, { rawId, toolName, args, ...(text === undefined ? {} : { text }), providerExecuted: true }));
    const left = new Set(whole?.calls);
    const byId = new Map(whole?.calls.map((call) => [call.rawId, call]));
    // A node that writes the message without its calls has taken them back.
    const streamed = whole !== undefined && message.state === "written" && left.size === 0 ? [] : assembly.calls;
    if (streamed.length < assembly.calls.length) warnings.add("call_uncommitted", `a node took back the calls of ${assembly.calls.map(({ toolName }) => JSON.stringify(toolName)).join(", ")}: the message that it wrote holds none`);
    for (const { rawId, toolName, text } of streamed) {
      const final = rawId === "" ? [...left].find((call) => call.rawId === "" && call.toolName === toolName) : byId.get(rawId);
      if (final !== undefined) left.delete(final);
      issued.push(ledger.issue(path, { rawId, toolName: final !== undefined && toolName === "" ? final.toolName : toolName, args: final?.args, text, invalid: final?.invalid }));
    }
    const known = new Set(issued.map(({ rawId }) => rawId));
    for (const call of left) if (call.rawId === "" || !known.has(call.rawId)) issued.push(ledger.issue(path, call));
    for (const call of issued) if (call.invalid !== undefined) call.end = { kind: "message", text: call.invalid.error, refused: true };
  };

  /** A call that an earlier run issued, or that no message of the stream holds. */
  const adopt = (path: Path, rawId: string, toolName: string, input: unknown): SeenCall => {
    const parent = parentOf(path);
    const asked = earlier.asked.get(parent === undefined ? rawId : `${parent.place}/${rawId}`);
    const handed = tasks.handed(path, rawId);
    const text = asked !== undefined && "argsJson" in asked.arguments ? asked.arguments.argsJson : handed?.text;
    return ledger.issue(path, { rawId, toolName: toolName === "" ? (asked?.toolName ?? handed?.toolName ?? "") : toolName, args: input ?? asked?.args ?? handed?.args, ...(text === undefined ? {} : { text }) });
  };

  const finish = (call: SeenCall, end: CallEnd): StreamEvent[] => {
    call.end = end;
    return call.said.start ? say.end(call) : tell(call.path, false);
  };

  const isDecided = (call: SeenCall, force: boolean): boolean => call.end !== undefined || call.settled || call.providerExecuted || (force && !call.executing);

  const tell = (path: Path, force: boolean): StreamEvent[] => {
    const events: StreamEvent[] = [];
    const queue = ledger.within(path);
    let at = told.get(pathKey(path)) ?? 0;
    for (; at < queue.length; at++) {
      const call = queue[at] as SeenCall;
      if (!call.said.start && !isDecided(call, force)) break;
      events.push(...tellNow(call));
    }
    told.set(pathKey(path), at);
    return events;
  };

  const tellNow = (call: SeenCall): StreamEvent[] => [...say.start(call), ...say.end(call)];

  const endOf = (message: ReadMessage, call: SeenCall): CallEnd => {
    if (!message.failed) return { kind: "result", content: message.content };
    const content = typeof message.content === "string" ? message.content : "";
    return { kind: "message", text: failureText(message.content), refused: !call.executing && REFUSED.some((sentence) => sentence.test(content)) };
  };

  const callOfMessage = (message: ReadMessage, path: Path): SeenCall | undefined => {
    const { toolCallId: rawId, toolName } = message;
    if (rawId !== "") {
      const call = known(path, rawId);
      if (call !== undefined) return call;
      // A graph that runs as a node hands its messages up when it is done.
      const below = ledger.all().some((other) => other.rawId === rawId && other.path.length > path.length && other.end !== undefined);
      return below ? undefined : adopt(path, rawId, toolName ?? "", undefined);
    }
    const found = ledger.open(path, toolName);
    if (found === undefined || found === "ambiguous") {
      warnings.add("result_unmatched", `a result of ${JSON.stringify(toolName ?? "")} without a call's id cannot be told to belong to one call; it is not evidence`);
      return undefined;
    }
    warnings.add("result_inferred", `a result of ${JSON.stringify(found.toolName)} came without a call's id; it was given to the only call that it can mean, ${JSON.stringify(found.id)}`);
    return found;
  };

  /** A result that is told again of a call that an earlier run told, or that ends one. Nothing was run for it here. */
  const earlierEnd = (message: ReadMessage, path: Path): StreamEvent[] | undefined => {
    const { toolCallId: rawId, toolName } = message;
    const parent = parentOf(path);
    const place = parent === undefined ? rawId : `${parent.place}/${rawId}`;
    const told = earlier.said.get(place);
    if (rawId === "" || told === undefined || known(path, rawId) !== undefined) return undefined;
    return told.ended || !earlier.continued ? [] : [say.laterEnd(path, place, toolName ?? "", message)];
  };

  const toolMessage = (message: ReadMessage, path: Path): StreamEvent[] => {
    if (transcript.isOld(message.id) || (message.id !== undefined && toolMessages.has(message.id))) return [];
    if (message.id !== undefined) toolMessages.add(message.id);
    const before = earlierEnd(message, path);
    if (before !== undefined) return before;
    const call = callOfMessage(message, path);
    if (call === undefined) return [];
    // Somebody refused the call: what the model is told then is no result of the tool.
    if (call.approval === "denied" && !call.executing) return tell(path, true);
    const end = endOf(message, call);
    if (call.end === undefined) return finish(call, end);
    const same = call.executing || (call.end.kind === "result" && end.kind === "result" ? sameJson(resultValue(call.end.content), resultValue(end.content)) : call.end.kind !== "result" && end.kind !== "result");
    if (!same) warnings.add("result_repeated", `the call ${JSON.stringify(call.rawId)} of ${JSON.stringify(call.toolName)} ended a second time, in another way; the first end counts`);
    return [];
  };

  const begin = (path: Path, rawId: string, toolName: string, input: unknown): StreamEvent[] => {
    let call = known(path, rawId);
    if (rawId === "") {
      const open = ledger.open(path, toolName, input);
      call = open === "ambiguous" ? ledger.within(path).find((one) => one.toolName === toolName && one.end === undefined && !one.executing) : open;
    }
    // A node that is tried again runs its tools again.
    if (call === undefined || call.executing) call = adopt(path, rawId, toolName, input);
    call.executing = true;
    if (input !== undefined && !sameJson(call.args, input) && !call.said.start) {
      warnings.add("arguments_repaired", `the arguments of the call ${JSON.stringify(rawId)} of ${JSON.stringify(toolName)} are not what the model wrote; what the tool was given is shown`);
      call.args = input;
      call.arguments = { args: jsonSafe(input) };
    }
    return [];
  };

  const endedCall = (path: Path, rawId: string, toolName: string): SeenCall | undefined => {
    if (rawId !== "") return known(path, rawId);
    const running = ledger.within(path).filter((call) => call.executing && call.end === undefined && call.toolName === toolName);
    if (running.length !== 1) warnings.add("result_unmatched", `a result of ${JSON.stringify(toolName)} without a call's id cannot be told to belong to one call; it is not evidence`);
    return running.length === 1 ? running[0] : undefined;
  };

  /** A tool's output is a message where it was run for a call, and may be a command that carries one. */
  const endOfOutput = (output: unknown, call: SeenCall): CallEnd => {
    const own = readMessage(output, false) ?? (textMember(output, "lg_name") === "Command" ? messagesWithin(output).find(({ toolCallId }) => toolCallId === call.rawId) : undefined);
    return own?.kind === "tool" ? endOf(own, call) : { kind: "result", content: textMember(output, "lg_name") === "Command" ? undefined : output };
  };

  return {
    issue,
    toolMessage,
    toolEvent(data, path) {
      const rawId = textMember(data, "toolCallId") ?? "";
      const toolName = textMember(data, "name") ?? "";
      const event = textMember(data, "event") ?? "";
      switch (event) {
        case "on_tool_start":
          return begin(path, rawId, toolName, inputOf(member(data, "input")));
        case "on_tool_event":
          return [{ ...say.of(path), type: "tool_output_delta", toolCallId: ledger.byId(path, rawId)?.id ?? rawId, toolName, output: member(data, "data") }];
        case "on_tool_end":
        case "on_tool_error": {
          const call = endedCall(path, rawId, toolName);
          if (call === undefined || call.end !== undefined) return [];
          return finish(call, event === "on_tool_error" ? { kind: "error", error: member(data, "error") } : endOfOutput(member(data, "output"), call));
        }
        default:
          return [];
      }
    },
    serverEnd({ rawId, value, failed }) {
      const call = ledger.all().findLast((one) => one.providerExecuted && one.rawId === rawId && one.end === undefined);
      if (call !== undefined) return finish(call, failed ? { kind: "message", text: failureText(value), refused: false } : { kind: "result", content: value });
      if (!ledger.all().some((one) => one.rawId === rawId)) warnings.add("result_unmatched", `the provider gave a result for the call ${JSON.stringify(rawId)}, which is not known; it is not evidence`);
      return [];
    },
    settle(path, rawIds) {
      for (const rawId of rawIds) {
        const call = ledger.byId(path, rawId);
        if (call !== undefined) call.settled = true;
      }
    },
    tell,
    tellNow,
    all: () => ledger.all(),
    within: (path) => ledger.within(path),
  };
}

/** A tool's input comes as JSON text. */
function inputOf(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return input;
  }
}
