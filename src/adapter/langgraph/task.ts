// Owns the tasks of a run, one execution of a node each: which calls a task was handed, what was said before it, and which call of a tool a
// graph within the run belongs to.

import { listOf, member, recordMember, textMember } from "../../core/member.ts";
import { pathKey, type Path } from "./chunk.ts";
import { readInterrupts, type Interrupt } from "./interrupt.ts";
import { readMessage, type ReadCall, type ReadMessage } from "./message.ts";

export interface Task {
  readonly id: string;
  /** The graph that it is a node of. */
  readonly path: Path;
  readonly name: string;
  /** The calls of the last AI message in its input, or the one call that it was sent. */
  readonly calls: readonly ReadCall[];
}

export interface TaskEnd {
  readonly id: string;
  readonly interrupts: readonly Interrupt[];
  readonly failed: boolean;
  readonly result: unknown;
}

export interface Tasks {
  /** Takes the beginning of a task and gives the ids of the messages that were there before anything of its graph had run. */
  begin(data: unknown, path: Path): readonly string[];
  end(data: unknown, path: Path): TaskEnd;
  byId(id: string): Task | undefined;
  /** The call with that id in the input of any task: an earlier run has issued it. */
  handed(path: Path, rawId: string): ReadCall | undefined;
}

/** The messages of a task's input: a list, or its member `messages`. Read from the end: a long conversation is told again with every task. */
function lastCalls(input: unknown): readonly ReadCall[] {
  const sent = recordMember(input, "lg_tool_call");
  if (sent !== undefined) return [{ rawId: textMember(sent, "id") ?? "", toolName: textMember(sent, "name") ?? "", args: member(sent, "args") }];
  const messages = messageList(input);
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = readMessage(messages[at], false);
    if (message?.kind === "ai") return message.calls;
    if (message?.kind === "other") return [];
  }
  return [];
}

function messageList(input: unknown): readonly unknown[] {
  return listOf(input) ?? listOf(member(input, "messages")) ?? [];
}

export function createTasks(): Tasks {
  const byId = new Map<string, Task>();
  const handed = new Map<string, ReadCall>();
  const ran = new Set<string>();

  return {
    begin(data, path) {
      const input = member(data, "input");
      const task: Task = { id: textMember(data, "id") ?? "", path, name: textMember(data, "name") ?? "", calls: lastCalls(input) };
      byId.set(task.id, task);
      for (const call of task.calls) if (call.rawId !== "") handed.set(`${pathKey(path)} ${call.rawId}`, call);
      if (ran.has(pathKey(path))) return [];
      return messageList(input).map((item) => readMessage(item, false)).filter((message): message is ReadMessage => message !== undefined).flatMap(({ id }) => id ?? []);
    },
    end(data, path) {
      ran.add(pathKey(path));
      const error = member(data, "error");
      return { id: textMember(data, "id") ?? "", interrupts: readInterrupts(member(data, "interrupts")), failed: error !== undefined && error !== null, result: member(data, "result") };
    },
    byId: (id) => byId.get(id),
    handed: (path, rawId) => handed.get(`${pathKey(path)} ${rawId}`),
  };
}

/** The task that a graph runs in, by the last segment of its path (`tools:d78c`), and the graph of that task. Numbers tell apart the graphs that one task runs. */
export function enclosing(path: Path): { readonly taskId: string; readonly path: Path } | undefined {
  let length = path.length;
  while (length > 0 && /^\d+$/.test(path[length - 1] ?? "")) length -= 1;
  const segment = path[length - 1];
  if (segment === undefined) return undefined;
  const colon = segment.indexOf(":");
  return { taskId: colon === -1 ? "" : segment.slice(colon + 1), path: path.slice(0, length - 1) };
}

/** True for the beginning of a task; its end has no input. */
export function isTaskBegin(data: unknown): boolean {
  return member(data, "input") !== undefined && member(data, "result") === undefined;
}
