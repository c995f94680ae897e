// Owns the AI messages of a run: put together from their pieces, taken over by what a node writes to the state, and dropped where it does
// not; which of them is the answer; and what they cost.

import { addUsage, type Usage } from "../../core/usage.ts";
import { pathKey, type Path } from "./chunk.ts";
import type { SeenCall } from "./ledger.ts";
import type { ReadMessage } from "./message.ts";
import { assembly, type Assembly } from "./pieces.ts";
import type { ServerCall } from "./server-tool.ts";

export interface SeenMessage {
  readonly id: string | undefined;
  readonly path: Path;
  readonly node: string | undefined;
  /** The task that it was made in, by its id; empty where that is not known. */
  readonly task: string;
  readonly assembly: Assembly;
  streamed: boolean;
  text: string;
  reasoning: string;
  usage: Usage | undefined;
  finishReason: string | undefined;
  readonly serverCalls: Map<string, ServerCall>;
  whole: ReadMessage | undefined;
  /** `written`: a node has put it into the state. `dropped`: its node has ended without doing so. */
  state: "open" | "written" | "dropped";
  /** It stands in the state of the root graph. */
  atRoot: boolean;
  /** Later ones are greater. */
  order: number;
  calls: SeenCall[] | undefined;
  told: boolean;
}

export interface Transcript {
  /** Takes a piece, or a message that is streamed whole. */
  stream(message: ReadMessage, path: Path, node: string | undefined, task: string): { readonly message: SeenMessage; readonly begun: boolean };
  /** Takes a message that a node wrote; `undefined` for one that was there before the run. */
  write(message: ReadMessage, path: Path, node: string | undefined): SeenMessage | undefined;
  /** These were there before the run. */
  remember(ids: Iterable<string>): void;
  isOld(id: string | undefined): boolean;
  /** Drops what a task has streamed and not written. */
  endTask(task: string): void;
  /** Drops whatever nobody has written. */
  dropOpen(): void;
  /** The message whose call has that id, and whose calls were not issued yet. */
  holding(path: Path, rawId: string): SeenMessage | undefined;
  /** In the order in which they were first seen. */
  all(): readonly SeenMessage[];
  /** The last message of the named nodes; without names, the last in the state of the root graph, or that the root graph streamed. */
  answer(nodes: readonly string[] | undefined): SeenMessage | undefined;
  usage(): Usage | undefined;
}

export function createTranscript(): Transcript {
  const messages: SeenMessage[] = [];
  const byId = new Map<string, SeenMessage>();
  const old = new Set<string>();
  let order = 0;

  const begin = (id: string | undefined, path: Path, node: string | undefined, task: string): SeenMessage => {
    const message: SeenMessage = {
      id, path, node, task, assembly: assembly(), streamed: false, text: "", reasoning: "", usage: undefined, finishReason: undefined, serverCalls: new Map(), whole: undefined,
      state: "open", atRoot: false, order: ++order, calls: undefined, told: false,
    };
    messages.push(message);
    if (id !== undefined) byId.set(id, message);
    return message;
  };

  const last = (list: readonly SeenMessage[]): SeenMessage | undefined => list.reduce<SeenMessage | undefined>((best, message) => (best === undefined || message.order >= best.order ? message : best), undefined);

  return {
    stream(read, path, node, task) {
      const known = read.id === undefined ? messages.findLast((message) => message.id === undefined && message.state === "open" && message.task === task && pathKey(message.path) === pathKey(path)) : byId.get(read.id);
      // A provider may give each of its answers the same id; another task is another message.
      const found = known !== undefined && known.task === task && known.state === "open" ? known : undefined;
      const message = found ?? begin(read.id, path, node, task);
      message.streamed = true;
      if (read.piece) {
        message.text += read.text;
        message.usage = addUsage(message.usage, read.usage);
      } else {
        message.whole = read;
        message.text = read.text;
        message.usage = read.usage ?? message.usage;
      }
      message.reasoning += read.reasoning;
      message.finishReason = read.finishReason ?? message.finishReason;
      for (const call of read.serverCalls) if (!message.serverCalls.has(call.rawId)) message.serverCalls.set(call.rawId, call);
      return { message, begun: found === undefined };
    },
    write(read, path, node) {
      const known = read.id === undefined ? undefined : byId.get(read.id);
      if (known === undefined && read.id !== undefined && old.has(read.id)) return undefined;
      const message = known ?? begin(read.id, path, node, "");
      if (message.state !== "written") {
        message.state = "written";
        message.whole = read;
        // What the state holds counts, also where a node has put other words into the message.
        message.text = read.text;
        message.usage = read.usage ?? message.usage;
        message.finishReason = read.finishReason ?? message.finishReason;
        if (message.reasoning === "") message.reasoning = read.reasoning;
      }
      if (path.length === 0 && !message.atRoot) {
        message.atRoot = true;
        message.order = ++order;
      }
      return message;
    },
    remember(ids) {
      for (const id of ids) if (!byId.has(id)) old.add(id);
    },
    isOld: (id) => id !== undefined && old.has(id),
    endTask(task) {
      for (const message of messages) if (message.state === "open" && message.task === task) message.state = "dropped";
    },
    dropOpen() {
      for (const message of messages) if (message.state === "open") message.state = "dropped";
    },
    holding: (path, rawId) =>
      messages.findLast(
        ({ calls, path: of, assembly: { calls: streamed }, whole }) =>
          calls === undefined && pathKey(of) === pathKey(path) && (streamed.some((call) => call.rawId === rawId) || whole?.calls.some((call) => call.rawId === rawId) === true),
      ),
    all: () => messages,
    answer(nodes) {
      if (nodes !== undefined) return last(messages.filter(({ node }) => node !== undefined && nodes.includes(node)));
      const ofRoot = messages.filter(({ path }) => path.length === 0);
      return last(messages.filter(({ atRoot, path, state }) => atRoot || (path.length === 0 && state === "open"))) ?? last(ofRoot);
    },
    usage() {
      let sum: Usage | undefined;
      let requests = 0;
      let unknownRequests = 0;
      for (const { usage, streamed, finishReason } of messages) {
        if (usage === undefined && !streamed && finishReason === undefined) continue;
        requests += 1;
        if (usage === undefined) unknownRequests += 1;
        sum = addUsage(sum, usage);
      }
      if (sum === undefined) return undefined;
      return { ...sum, requests, ...(unknownRequests === 0 ? {} : { unknownRequests }) };
    },
  };
}
