// Owns the chunks of a graph's stream: which mode one is of, and in which graph of the run it happened.

import { listOf, member, recordOf, textMember } from "../../core/member.ts";

/** The modes that this adapter reads. */
export const STREAM_MODES = ["messages", "updates", "tools", "tasks"] as const;

/** Modes that a graph may stream beside them. `values` is read too; the others are of no weight. */
const OTHER_MODES = ["values", "custom", "debug", "checkpoints"] as const;
export type StreamMode = (typeof STREAM_MODES)[number] | (typeof OTHER_MODES)[number];
const MODES: readonly StreamMode[] = [...STREAM_MODES, ...OTHER_MODES];

/** The path of a graph within the run: empty for the root, else the tasks that lead to it. */
export type Path = readonly string[];

export interface Chunk {
  readonly mode: StreamMode;
  readonly path: Path;
  readonly data: unknown;
}

/** A path as a text, for maps. */
export function pathKey(path: Path): string {
  return path.join("|");
}

function isMode(value: unknown): value is StreamMode {
  return (MODES as readonly unknown[]).includes(value);
}

function readPath(value: unknown): Path | undefined {
  const segments = listOf(value);
  return segments?.every((segment) => typeof segment === "string") === true ? segments : undefined;
}

/** The task that a message was made in, from its metadata: `agent:1702`, or `tools:d78c|1|agent:258a` within another graph. */
export function taskPathOf(metadata: unknown): Path {
  const text = textMember(metadata, "langgraph_checkpoint_ns") ?? textMember(metadata, "checkpoint_ns") ?? "";
  return text === "" ? [] : text.split("|");
}

function isMessagePair(items: readonly unknown[]): boolean {
  const [message, metadata] = items;
  return items.length === 2 && recordOf(message) !== undefined && recordOf(metadata) !== undefined && ["langgraph_node", "langgraph_checkpoint_ns", "checkpoint_ns"].some((name) => member(metadata, name) !== undefined);
}

/** A chunk that names no mode: the only mode that was streamed, or what its shape leaves no doubt of. */
function unnamed(data: unknown, path: Path | undefined, modes: readonly StreamMode[]): Chunk | undefined {
  const items = listOf(data);
  if (items !== undefined && isMessagePair(items)) return { mode: "messages", path: path ?? taskPathOf(items[1]).slice(0, -1), data };
  const only = modes.length === 1 ? modes[0] : undefined;
  if (only !== undefined && only !== "messages" && items === undefined && recordOf(data) !== undefined) return { mode: only, path: path ?? [], data };
  if (textMember(data, "event")?.startsWith("on_tool_") === true) return { mode: "tools", path: path ?? [], data };
  return undefined;
}

/**
 * Reads a chunk in whichever form it comes: `[path, mode, data]` with subgraphs and several modes, `[mode, data]`, `[path, data]`, or `data`
 * alone. `undefined` where it is none of them. Never throws.
 */
export function readChunk(chunk: unknown, modes: readonly StreamMode[]): Chunk | undefined {
  const items = listOf(chunk);
  if (items === undefined) return unnamed(chunk, undefined, modes);
  const path = readPath(items[0]);
  if (items.length === 3 && path !== undefined && isMode(items[1])) return { mode: items[1], path, data: items[2] };
  if (items.length !== 2) return undefined;
  if (isMode(items[0])) {
    const [mode, data] = items;
    // Without subgraphs all is of the root, but messages say themselves where they are from.
    return { mode, path: mode === "messages" ? taskPathOf(listOf(data)?.[1]).slice(0, -1) : [], data };
  }
  return path === undefined ? unnamed(chunk, undefined, modes) : unnamed(items[1], path, modes);
}
