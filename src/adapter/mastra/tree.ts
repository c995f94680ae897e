// Owns what the runs of one tree share: the root, its agents' agents and its workflows' steps.

import type { Bounds, Evidence, FailureKind } from "../../core/evidence.ts";
import { addUsage, type Usage } from "../../core/usage.ts";
import { readUsage } from "../../language-model/usage.ts";
import type { Warnings } from "./warning.ts";

/** What the run goes on with. Mastra's own stream may tell it late, or not at all where another call still waits. */
export interface Decided {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly approved: boolean;
}

export interface TreeOptions {
  readonly runId: string;
  readonly sessionId?: string | undefined;
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
  readonly continues: readonly Evidence[];
  readonly decided: readonly Decided[];
  /** Puts a workflow's result into words. */
  readonly answer: (result: unknown) => string;
  readonly warnings: Warnings;
}

export interface Tree extends TreeOptions {
  /** An id that no other call of the tree has: `wanted`, or a made-up one where that is empty or taken. */
  freshId(wanted: string): string;
  /** How the call of that id stood when the runs before this one ended: begun and open, asked for, or done. */
  before(id: string): "open" | "asked" | "done" | undefined;
  dropId(id: string): void;
  usage(usage: unknown): void;
  /** The usage of all runs; `undefined` where none is known. */
  sum(): Usage | undefined;
}

export function createTree(options: TreeOptions): Tree {
  const taken = new Set<string>();
  const earlier = new Map<string, "open" | "asked" | "done">();
  for (const { toolCalls, completions = [], confirmation } of options.continues) {
    for (const { toolCallId, completed } of toolCalls) earlier.set(toolCallId, completed ? "done" : "open");
    for (const { call } of completions) earlier.set(call.toolCallId, "done");
    if (confirmation?.state === "pending" && !earlier.has(confirmation.toolCallId)) earlier.set(confirmation.toolCallId, "asked");
  }
  let madeUp = 0;
  let usage: Usage | undefined;
  let requests = 0;
  let unknownRequests = 0;
  return {
    ...options,
    freshId(wanted) {
      let id = wanted === "" ? `made-up:${++madeUp}` : wanted;
      while (taken.has(id)) id = `made-up:${++madeUp}:${wanted}`;
      taken.add(id);
      return id;
    },
    dropId: (id) => taken.delete(id),
    before: (id) => earlier.get(id),
    usage(value) {
      const read = readUsage(value);
      requests += 1;
      if (read === undefined) unknownRequests += 1;
      usage = addUsage(usage, read);
    },
    sum: () => (usage === undefined ? undefined : { ...usage, requests, ...(unknownRequests === 0 ? {} : { unknownRequests }) }),
  };
}
