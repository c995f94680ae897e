// Owns the way from the chunks of one run to Entail's events. A call is told once it can no longer be interrupted, in the order in which the
// calls were issued; the answer is told at the end, for only then is it known which message is the last.

import type { StreamEvent } from "../../core/event.ts";
import { listOf, member, namesOf, recordOf, textMember } from "../../core/member.ts";
import { callEvents, type CallEventsOptions } from "./call-events.ts";
import { createCalls } from "./calls.ts";
import { readChunk, taskPathOf, type Path, type StreamMode } from "./chunk.ts";
import { endingOf, type Ending } from "./ending.ts";
import { decisionOf, promptOf, readInterrupts, shownValue, type Interrupt } from "./interrupt.ts";
import { messagesWithin, readMessage, type ReadMessage } from "./message.ts";
import { createTasks, isTaskBegin } from "./task.ts";
import type { AskedCall, Earlier, Left } from "./thread.ts";
import { createTranscript, type SeenMessage } from "./transcript.ts";
import { waitingCalls, type Asking, type Waiting } from "./waiting.ts";
import type { Warnings } from "./warning.ts";
import type { GraphWatch } from "./watch.ts";

export interface TranslatorOptions extends CallEventsOptions {
  readonly modes: readonly StreamMode[];
  readonly nodes?: readonly string[] | undefined;
  readonly watch?: GraphWatch | undefined;
  readonly earlier: Earlier;
  /** What the run was resumed with; absent where it was not. */
  readonly resume?: { readonly value: unknown } | undefined;
  readonly decision?: ((resume: unknown, call: { readonly toolName: string; readonly args: unknown }) => boolean | undefined) | undefined;
  readonly warnings: Warnings;
}

export interface Translator {
  /** What was decided before the run went on. */
  opening(): StreamEvent[];
  take(chunk: unknown): StreamEvent[];
  /** Anything at all was streamed. */
  readonly begun: boolean;
  /** The stream has shown what nodes write, and so whether the run was interrupted. */
  readonly sawState: boolean;
  readonly interrupts: readonly Interrupt[];
  /** What is left to say once the stream has stopped; `broken` where nobody knows what was still to come. */
  rest(broken: boolean): StreamEvent[];
  /** How the run ended, where the stream came to its end; `undefined` where its answer did not. */
  ending(): Ending | undefined;
  end(ending: Ending): StreamEvent[];
  left(): Left;
}

const INTERRUPT = "__interrupt__";

export function translator(options: TranslatorOptions): Translator {
  const { base, modes, nodes, watch, earlier, resume, decision, warnings } = options;
  const say = callEvents(options);
  const transcript = createTranscript();
  const tasks = createTasks();
  const calls = createCalls({ transcript, tasks, say, earlier, watch, warnings });
  const askings = new Map<string, Asking>();
  const asked = new Map<string, AskedCall>();
  /** The stream was told to stop before or after a node. */
  let stopped: Path | undefined;
  let begun = false;
  let sawState = false;
  const hasUpdates = modes.includes("updates");
  const seesState = hasUpdates || modes.includes("tasks") || modes.includes("values");

  const tellTurn = (message: SeenMessage): StreamEvent[] => {
    if (message.told) return [];
    message.told = true;
    const { id, node, path, text, state } = message;
    return [{ ...say.of(path), type: "assistant_turn", messageId: id, node, path, text, written: state === "written" }];
  };

  const ask = (interrupts: readonly Interrupt[], path: Path, handed: readonly string[] | undefined): void => {
    for (const interrupt of interrupts) {
      const key = interrupt.id ?? JSON.stringify(shownValue(interrupt.value));
      const known = askings.get(key);
      if (known === undefined) askings.set(key, { interrupt, path, handed });
      else if (path.length > known.path.length || (path.length === known.path.length && known.handed === undefined)) {
        known.path = path;
        known.handed = handed;
      }
    }
  };

  const takeWritten = (message: ReadMessage, path: Path, node: string | undefined): StreamEvent[] => {
    if (message.kind === "tool") return calls.toolMessage(message, path);
    if (message.kind !== "ai") return [];
    const seen = transcript.write(message, path, node);
    if (seen === undefined) return [];
    for (const call of message.serverCalls) seen.serverCalls.set(call.rawId, call);
    calls.issue(seen);
    return [...tellTurn(seen), ...message.serverEnds.flatMap((end) => calls.serverEnd(end)), ...calls.tell(seen.path, false)];
  };

  const takeStreamed = (data: unknown, path: Path): StreamEvent[] => {
    const [value, metadata] = listOf(data) ?? [];
    const message = readMessage(value, true);
    if (message === undefined) return unknownChunk("messages");
    if (message.kind === "tool") return calls.toolMessage(message, path);
    if (message.kind !== "ai" || transcript.isOld(message.id)) return [];
    const task = taskPathOf(metadata).at(-1) ?? "";
    const { message: seen, begun: isNew } = transcript.stream(message, path, textMember(metadata, "langgraph_node"), task.slice(task.indexOf(":") + 1));
    const events: StreamEvent[] = [];
    if (isNew) {
      if (!seesState) for (const before of transcript.all()) if (before !== seen) calls.issue(before);
      events.push(...calls.tell(path, true));
    }
    if (message.reasoning !== "") events.push({ ...say.of(path), type: "planner_thought", messageId: message.id, text: message.reasoning });
    for (const piece of message.pieces) {
      const call = seen.assembly.add(piece);
      if (piece.text !== "") events.push({ ...say.of(path), type: "tool_call_args_delta", toolCallId: call.rawId, toolName: call.toolName, delta: piece.text });
    }
    if (!seesState) events.push(...message.serverEnds.flatMap((end) => (calls.issue(seen), calls.serverEnd(end))));
    return events;
  };

  const takeState = (data: unknown, path: Path): StreamEvent[] => {
    const events: StreamEvent[] = [];
    for (const node of namesOf(data)) {
      const written = member(data, node);
      if (node !== INTERRUPT) events.push(...messagesWithin(written).flatMap((message) => takeWritten(message, path, node)));
      else if ((listOf(written) ?? []).length === 0) stopped = path;
      else ask(readInterrupts(written), path, undefined);
    }
    return events;
  };

  /** The whole state after each step; the first is what the run began with. */
  const valuesSeen = new Set<string>();
  const takeValues = (data: unknown, path: Path): StreamEvent[] => {
    ask(readInterrupts(member(data, INTERRUPT)), path, undefined);
    const messages = messagesWithin(data);
    const key = path.join("|");
    if (!valuesSeen.has(key)) {
      valuesSeen.add(key);
      transcript.remember(messages.flatMap(({ id }) => id ?? []));
      return [];
    }
    return hasUpdates ? [] : messages.flatMap((message) => takeWritten(message, path, undefined));
  };

  const takeTask = (data: unknown, path: Path): StreamEvent[] => {
    if (isTaskBegin(data)) {
      transcript.remember(tasks.begin(data, path));
      return [];
    }
    const { id, interrupts, failed, result } = tasks.end(data, path);
    const task = tasks.byId(id);
    const handed = task?.calls.map(({ rawId }) => rawId);
    ask(interrupts, path, handed);
    const events = hasUpdates ? [] : messagesWithin(result).flatMap((message) => takeWritten(message, path, task?.name));
    if (interrupts.length === 0 && !failed) {
      transcript.endTask(id);
      if (handed !== undefined) calls.settle(path, handed);
    }
    return [...events, ...calls.tell(path, false)];
  };

  const unknownChunk = (what: string): StreamEvent[] => {
    warnings.add("chunk_unknown", `a chunk of the stream was left out, for it cannot be read (${what}); stream with the modes ${modes.join(", ")}, or name yours in \`modes\``);
    // The collector counts what it does not know, so that evidence shows it too.
    return [{ ...base, type: `langgraph:${what}` } as unknown as StreamEvent];
  };

  /** Which calls wait is known once the stream has stopped: an interrupt comes up through the graphs around it. */
  const resolveWaiting = (): Waiting => {
    const open: Asking[] = [...askings.values(), ...(stopped === undefined ? [] : [{ interrupt: undefined, path: stopped, handed: undefined }])];
    return waitingCalls(open, (path) => calls.within(path));
  };

  return {
    opening() {
      const events: StreamEvent[] = [];
      const positions = new Map<string | undefined, number>();
      for (const call of earlier.asked.values()) {
        const position = positions.get(call.interruptId) ?? 0;
        positions.set(call.interruptId, position + 1);
        if (resume === undefined || call.state !== "pending") continue;
        const said = decision?.(resume.value, call) ?? decisionOf(resume.value, call.interruptId, position);
        if (said === undefined) continue;
        call.state = said ? "approved" : "denied";
        events.push(say.decision(call, said));
      }
      return events;
    },
    take(chunk) {
      begun = true;
      const read = readChunk(chunk, modes);
      if (read === undefined) return unknownChunk(recordOf(chunk) === undefined ? "chunk" : "object");
      const { mode, path, data } = read;
      switch (mode) {
        case "messages":
          return takeStreamed(data, path);
        case "updates":
          sawState = true;
          return takeState(data, path);
        case "values":
          sawState = true;
          return takeValues(data, path);
        case "tools":
          return calls.toolEvent(data, path);
        case "tasks":
          sawState = true;
          return takeTask(data, path);
        case "custom":
        case "debug":
        case "checkpoints":
          return [];
        default:
          return mode satisfies never;
      }
    },
    get begun() {
      return begun;
    },
    get sawState() {
      return sawState;
    },
    get interrupts() {
      return [...askings.values()].flatMap(({ interrupt }) => interrupt ?? []);
    },
    rest(broken) {
      const events: StreamEvent[] = [];
      if (seesState && !broken) transcript.dropOpen();
      for (const message of transcript.all()) {
        if (message.state === "open") calls.issue(message);
        else if (message.calls === undefined && message.assembly.calls.length > 0) warnings.add("call_uncommitted", `a message with calls of ${message.assembly.calls.map(({ toolName }) => JSON.stringify(toolName)).join(", ")} was never written to the state, and nothing ran them; they are no evidence`);
        events.push(...tellTurn(message));
      }
      const waiting = resolveWaiting();
      const waitingOf = new Map(waiting.calls.map((one) => [one.call, one]));
      for (const call of calls.all()) {
        const one = waitingOf.get(call);
        if (one !== undefined) {
          const { id, toolName, args, arguments: members } = call;
          const interruptId = one.interrupt?.id;
          asked.set(id, { id, toolName, args, arguments: members, ...(interruptId === undefined ? {} : { interruptId }), state: "pending" });
          // A call whose tool has run a graph has begun, whatever it asks now.
          if (calls.all().some(({ parent }) => parent === call)) events.push(...say.start(call));
          events.push(say.confirmation(one));
        } else events.push(...calls.tellNow(call));
      }
      // Somebody refused these, and the graph went on without a word about them.
      for (const call of earlier.asked.values()) {
        if (call.state !== "denied" || earlier.said.has(call.id) || calls.all().some(({ id }) => id === call.id)) continue;
        events.push({ ...base, type: "tool_start", toolCallId: call.id, toolName: call.toolName, ...call.arguments });
      }
      for (const question of waiting.questions) events.push({ ...base, type: "await_clarification", id: question.id, prompt: promptOf(question.value, "the graph"), value: shownValue(question.value) });
      const usage = transcript.usage();
      if (usage !== undefined) events.push({ ...base, type: "usage", usage });
      const answer = transcript.answer(nodes)?.text ?? "";
      if (answer !== "") events.push({ ...base, type: "assistant_reply", text: answer });
      return events;
    },
    ending() {
      const answer = transcript.answer(nodes);
      const { finishReason, id } = answer ?? {};
      if (finishReason === undefined && id !== undefined && watch?.brokeOff(id) === true) return undefined;
      return endingOf({
        interrupted: askings.size > 0 || stopped !== undefined,
        waiting: answer?.calls?.some((call) => call.end === undefined && !call.providerExecuted && call.approval !== "denied") === true,
        finishReason: finishReason ?? (id === undefined ? undefined : watch?.finishReason(id)),
      });
    },
    end(ending) {
      if (ending.phase === "completed" && (transcript.answer(nodes)?.text ?? "") === "") warnings.add("answer_empty", "the run completed without a word of answer");
      const cancellation = ending.phase === "cancelled" ? { cancellation: ending.reason === undefined ? {} : { reason: ending.reason } } : {};
      return [
        { ...base, type: "workflow", phase: ending.phase, ...(ending.failure === undefined ? {} : { failure: ending.failure }), ...cancellation },
        { ...base, type: "run_stream_end" },
      ];
    },
    left: () => ({
      said: new Map(calls.all().filter(({ said }) => said.start).map(({ id, said }) => [id, { ended: said.end }])),
      asked,
      continued: false,
      interrupts: [...askings.values()].flatMap(({ interrupt }) => interrupt ?? []),
    }),
  };
}
