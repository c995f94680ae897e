// Owns the calls of one run: those that its models issued and those that its tools ran, each once, in the order in which they were issued.

import type { CallResponse, Content, IssuedCall } from "./message.ts";
import type { RunNode, ToolNode } from "./tree.ts";

export interface TracedCall {
  /** Empty where no span says it. */
  readonly id: string;
  readonly name: string;
  readonly issued: IssuedCall | undefined;
  /** Its run; `undefined` where no span records one. */
  tool: ToolNode | undefined;
  /** What the model's provider gave back: it ran the call itself. */
  provided: CallResponse | undefined;
  /** What a later request told the model of it, whoever made it up. */
  told: CallResponse | undefined;
  /** A later model call shows that the run did not wait for it. */
  passedOver: boolean;
}

/** What happened in a run, in its order: words, calls, and agents that it handed its work to. */
export type Step =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: TracedCall }
  | { readonly kind: "agent"; readonly node: RunNode };

interface Slot {
  readonly start: bigint | undefined;
  readonly steps: Step[];
}

/** The place of what began at `start`: after the last model call that began before it; at the end where no time is known. */
function slotFor(slots: readonly Slot[], start: bigint | undefined): Slot | undefined {
  if (start === undefined) return slots.at(-1);
  return slots.findLast((slot) => slot.start === undefined || slot.start <= start);
}

/** The steps of a run. `lost` are tools whose place is not known: those with the id of a call of this run are taken from it. */
export function stepsOf({ agent, models, tools, agents }: RunNode, lost: ToolNode[]): readonly Step[] {
  const before: Slot = { start: -1n, steps: [] };
  const slots: Slot[] = [before];
  const calls: TracedCall[] = [];

  const take = (spoken: { readonly text: string; readonly calls: readonly IssuedCall[] }, start: bigint | undefined): void => {
    const slot: Slot = { start, steps: spoken.text === "" ? [] : [{ kind: "text", text: spoken.text }] };
    for (const issued of spoken.calls) {
      const call: TracedCall = { id: issued.id, name: issued.name, issued, tool: undefined, provided: undefined, told: undefined, passedOver: false };
      calls.push(call);
      slot.steps.push({ kind: "call", call });
    }
    slots.push(slot);
  };
  const answer = (responses: readonly CallResponse[], as: "provided" | "told"): void => {
    for (const response of responses) {
      const call = response.id === "" ? undefined : calls.findLast(({ id }) => id === response.id);
      if (call !== undefined) call[as] ??= response;
    }
  };

  for (const model of models) {
    for (const call of calls) call.passedOver = true;
    answer(model.responses, "told");
    take(model.spoken ?? { text: "", calls: [] }, model.span.start);
    if (model.spoken !== undefined) answer(model.spoken.responses, "provided");
  }
  // What an agent says of itself repeats what its model calls say.
  if (agent?.spoken !== undefined && models.every(({ spoken }) => spoken === undefined)) {
    take(agent.spoken, models.at(-1)?.span.start ?? agent.span.start);
    answer(agent.spoken.responses, "told");
  }

  const byId = Map.groupBy(calls, ({ id }) => id);
  const ran = new Set(tools.map(({ operation }) => operation.callId));
  const matches = ({ operation: { callId, toolName } }: ToolNode): TracedCall | undefined => {
    if (callId !== "") return byId.get(callId)?.find(({ tool }) => tool === undefined);
    return calls.find(({ id, name, tool }) => tool === undefined && name === toolName && (id === "" || !ran.has(id)));
  };
  const standing = tools.flatMap((tool) => {
    const call = matches(tool);
    if (call === undefined) return [tool];
    call.tool = tool;
    return [];
  });
  for (const call of calls) {
    const at = call.tool !== undefined || call.id === "" ? -1 : lost.findIndex(({ operation }) => operation.callId === call.id);
    if (at >= 0) [call.tool] = lost.splice(at, 1);
  }
  const others = [
    ...standing.map((tool) => ({ start: tool.operation.span.start, step: { kind: "call", call: { id: tool.operation.callId, name: tool.operation.toolName, issued: undefined, tool, provided: undefined, told: undefined, passedOver: false } } as Step })),
    ...agents.map((node) => ({ start: node.agent?.span.start, step: { kind: "agent", node } as Step })),
  ].toSorted((a, b) => (a.start === undefined || b.start === undefined ? 0 : a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  for (const { start, step } of others) (slotFor(slots, start) ?? before).steps.push(step);
  return slots.flatMap(({ steps }) => steps);
}

/** The arguments that the tool was given, or else those that the model wrote. */
export function argumentsOf({ tool, issued }: TracedCall): Content | undefined {
  return tool?.operation.args ?? issued?.args;
}

/** What came back of a call that ran: as its span holds it, or as the model was told. */
export function resultOf({ tool, provided, told }: TracedCall): Content | undefined {
  return tool?.operation.result ?? provided?.response ?? told?.response;
}
