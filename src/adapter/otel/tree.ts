// Owns the trees of a trace: which runs it holds, and what happened in each, agents and tools within one another by the parents of their spans.

import { readOperation, type AgentOperation, type ModelOperation, type Operation, type ToolOperation } from "./operation.ts";
import type { Span } from "./span.ts";
import type { Warnings } from "./warning.ts";

/** What happened in an agent at work, or in a tool, without what happened in the agents and tools within it. Each list in the order of its spans' start. */
export interface RunNode {
  readonly id: string;
  /** The agent, where it is one. */
  agent: AgentOperation | undefined;
  readonly models: ModelOperation[];
  readonly tools: ToolNode[];
  /** Agents that it handed its work to, not through a tool. */
  readonly agents: RunNode[];
}

export interface ToolNode {
  operation: ToolOperation;
  readonly within: RunNode;
}

/** A run of the trace, with the span that stands for all of it. */
export interface TracedRun {
  readonly traceId: string;
  /** The id of its root's span; that of the missing one where only its children were recorded. */
  readonly spanId: string;
  readonly root: Operation | undefined;
  readonly node: RunNode;
  /** Tools whose spans lost their place: they belong to a run of this trace, by the id of their call. */
  readonly lost: ToolNode[];
  /** Something of the trace may belong to this run, and nobody can say whether. */
  readonly incomplete: boolean;
}

/** Agents within agents and tools; what lies deeper is taken for lost. */
const MAX_NESTING = 500;

interface Placed {
  readonly operation: Operation;
  readonly at: number;
}

/** Spans without a time come last, in the order in which they were given. */
function byStart(a: Placed, b: Placed): number {
  const [first, second] = [a.operation.span.start, b.operation.span.start];
  if (first !== undefined && second !== undefined && first !== second) return first < second ? -1 : 1;
  if ((first === undefined) !== (second === undefined)) return first === undefined ? 1 : -1;
  return a.at - b.at;
}

function newNode(id: string, agent?: AgentOperation): RunNode {
  return { id, agent, models: [], tools: [], agents: [] };
}

/** The call of a remote agent, and that agent's own span below it. */
function isSameAgent(outer: AgentOperation | undefined, inner: AgentOperation): outer is AgentOperation {
  return outer !== undefined && outer.span.client && outer.agent !== "" && outer.agent === inner.agent;
}

/** One run of a tool that two instrumentations have recorded, one below the other. */
function isSameTool(outer: ToolOperation | undefined, inner: ToolOperation): outer is ToolOperation {
  return outer !== undefined && outer.toolName === inner.toolName && (inner.callId === "" || outer.callId === "" || outer.callId === inner.callId);
}

/** The runs of a trace, in the order of their start. */
export function tracedRuns(spans: readonly Span[], warnings: Warnings): readonly TracedRun[] {
  return [...Map.groupBy(spans, ({ traceId }) => traceId).values()].flatMap((own) => runsOfTrace(own, warnings)).toSorted((a, b) => compareStarts(a.root?.span.start, b.root?.span.start));
}

function compareStarts(a: bigint | undefined, b: bigint | undefined): number {
  return a === undefined || b === undefined || a === b ? 0 : a < b ? -1 : 1;
}

interface Place {
  readonly top: Operation;
  readonly belowAgent: boolean;
  readonly belowTool: boolean;
}

/** Where each operation stands below the first spans of its trees; those whose parents go round in a circle stand nowhere. */
function placesBelow(tops: readonly Operation[], children: ReadonlyMap<string, readonly Operation[]>): ReadonlyMap<Operation, Place> {
  const places = new Map<Operation, Place>();
  const stack = tops.map((top) => ({ operation: top, place: { top, belowAgent: false, belowTool: false } }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { operation, place } = next;
    if (places.has(operation)) continue;
    places.set(operation, place);
    const below = { top: place.top, belowAgent: place.belowAgent || operation.kind === "agent", belowTool: place.belowTool || operation.kind === "tool" };
    for (const child of children.get(operation.span.spanId) ?? []) stack.push({ operation: child, place: below });
  }
  return places;
}

function runsOfTrace(spans: readonly Span[], warnings: Warnings): readonly TracedRun[] {
  const placed = spans.map((span, at) => ({ operation: readOperation(span, warnings), at })).toSorted(byStart);
  const byId = new Map(placed.map((each) => [each.operation.span.spanId, each.operation]));
  const children = Map.groupBy(placed.map(({ operation }) => operation), ({ span }) => span.parentSpanId);
  const hasAgents = placed.some(({ operation }) => operation.kind === "agent");
  const traceId = spans[0]?.traceId ?? "";

  const tops = placed.map(({ operation }) => operation).filter(({ span }) => !byId.has(span.parentSpanId));
  const places = placesBelow(tops, children);

  const reached = new Set<Operation>();
  /** Everything below `from` that belongs to `node` or to what is within it. */
  const gather = (from: readonly Operation[], node: RunNode, tool?: ToolOperation): void => {
    const nodes = new Set([node]);
    const stack = from.toReversed().map((operation) => ({ operation, node, depth: 0, within: tool === undefined ? undefined : { operation: tool, node } }));
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { operation, node: into, depth, within } = next;
      if (reached.has(operation) || depth > MAX_NESTING) continue;
      reached.add(operation);
      let [inner, innerTool] = [into, within];
      if (operation.kind === "model") {
        into.models.push(operation);
        innerTool = undefined;
      } else if (operation.kind === "agent") {
        if (isSameAgent(into.agent, operation)) into.agent = merged(into.agent, operation);
        else {
          inner = newNode(operation.span.spanId, operation);
          into.agents.push(inner);
          nodes.add(inner);
        }
        innerTool = undefined;
      } else if (operation.kind === "tool") {
        const outer = within === undefined ? undefined : toolNodes.get(within.operation);
        if (outer !== undefined && isSameTool(within?.operation, operation)) {
          outer.operation = { ...outer.operation, callId: outer.operation.callId || operation.callId, args: outer.operation.args ?? operation.args, result: outer.operation.result ?? operation.result, error: outer.operation.error ?? operation.error };
        } else {
          inner = newNode(operation.span.spanId);
          const found: ToolNode = { operation, within: inner };
          toolNodes.set(operation, found);
          into.tools.push(found);
          nodes.add(inner);
          innerTool = { operation, node: inner };
        }
      }
      for (const child of (children.get(operation.span.spanId) ?? []).toReversed()) stack.push({ operation: child, node: inner, depth: inner === into ? depth : depth + 1, within: innerTool });
    }
    // What stands below different spans is in order only by its time.
    for (const { models } of nodes) models.sort((a, b) => compareStarts(a.span.start, b.span.start));
  };
  const toolNodes = new Map<Operation, ToolNode>();

  const runs: { readonly spanId: string; readonly root: Operation | undefined; readonly node: RunNode; readonly parentId: string }[] = [];
  const open = (spanId: string, root: Operation | undefined, from: readonly Operation[], parentId: string): void => {
    const node = newNode(spanId, root?.kind === "agent" ? root : undefined);
    if (root?.kind === "agent") {
      reached.add(root);
      gather((children.get(spanId) ?? []), node);
    } else gather(from, node);
    if (hasWork(node)) runs.push({ spanId, root, node, parentId });
  };
  if (hasAgents) {
    for (const { operation } of placed) {
      const place = places.get(operation);
      if (operation.kind !== "agent" || place === undefined || place.belowAgent || place.belowTool) continue;
      open(operation.span.spanId, operation, [], operation.span.parentSpanId);
    }
  } else {
    for (const top of tops.filter(({ span }) => span.parentSpanId === "")) open(top.span.spanId, top, [top], "");
    // Spans below one that was not recorded are of one run, whose root is not there.
    for (const [parentId, below] of Map.groupBy(tops.filter(({ span }) => span.parentSpanId !== ""), ({ span }) => span.parentSpanId)) open(parentId, undefined, below, parentId);
  }

  const lost: ToolNode[] = [];
  /** The ids of spans that are not there; `undefined` for what has no place at all. */
  const missing = new Set<string | undefined>();
  for (const { operation } of placed) {
    if (reached.has(operation) || (operation.kind !== "model" && operation.kind !== "tool")) continue;
    const place = places.get(operation);
    // Whoever is below a span that is known not to be an agent's is not the agent's.
    if (place?.top.span.parentSpanId === "" && !place.belowAgent) continue;
    missing.add(place?.belowAgent === false ? place.top.span.parentSpanId : undefined);
    if (operation.kind === "tool" && place?.belowTool !== true) {
      const within = newNode(operation.span.spanId);
      const found: ToolNode = { operation, within };
      reached.add(operation);
      toolNodes.set(operation, found);
      gather(children.get(operation.span.spanId) ?? [], within, operation);
      lost.push(found);
    }
  }
  if (missing.size > 0) warnings.add("parent_missing", "the trace lacks spans that others stand below: what they belong to cannot be said");
  // What stood beside a run, below the same missing span, is not within it.
  return runs.map(({ spanId, root, node, parentId }) => ({ traceId, spanId, root, node, lost, incomplete: [...missing].some((id) => id !== parentId) }));
}

function merged(outer: AgentOperation, inner: AgentOperation): AgentOperation {
  return { ...outer, spoken: outer.spoken ?? inner.spoken, finishReason: outer.finishReason ?? inner.finishReason, usage: outer.usage ?? inner.usage, error: outer.error ?? inner.error };
}

function hasWork({ agent, models, tools, agents }: RunNode): boolean {
  return agent !== undefined || models.length > 0 || tools.length > 0 || agents.length > 0;
}
