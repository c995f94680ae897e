// Owns the telling of targets by their shapes, so that each can be given as it is.

import type { AgentShape, TargetFunction, WorkflowShape } from "../core/any-target.ts";
import { EntailError } from "../core/error.ts";
import { member, textMember } from "../core/member.ts";
import type { Target } from "../core/target.ts";
import { agentSpeaker } from "./speak-agent.ts";
import { functionSpeaker } from "./speak-function.ts";
import { targetSpeaker } from "./speak-target.ts";
import { workflowSpeaker } from "./speak-workflow.ts";
import type { Speaker } from "./speaker.ts";

export type { AnyTarget } from "../core/any-target.ts";

export function isWorkflow(target: unknown): boolean {
  return typeof target !== "function" && typeof member(target, "createRun") === "function";
}

/** Throws `option_invalid` for what cannot be talked to. */
export async function openSpeaker(target: unknown): Promise<Speaker> {
  if (typeof target === "function") return functionSpeaker(target as TargetFunction);
  if (isWorkflow(target)) return workflowSpeaker(target as WorkflowShape);
  if (typeof member(target, "send") === "function") {
    const own = target as Target<any>;
    return targetSpeaker(() => ({ target: own }));
  }
  if (textMember(target, "version")?.startsWith("agent-v") === true && typeof member(target, "stream") === "function") {
    const sdk = await import("../adapter/ai-sdk/target.ts");
    return targetSpeaker(({ targetOptions }) => ({ target: sdk.target(target as { stream(options: any): any }, { call: callOptions(targetOptions) }) }));
  }
  if (typeof member(target, "generate") === "function" || typeof member(target, "generateLegacy") === "function") return agentSpeaker(target as AgentShape);
  const what = target === undefined || target === null ? "nothing" : typeof target === "object" ? "an object that has none of generate(), createRun(), send() and stream()" : `a ${typeof target}`;
  throw new EntailError("option_invalid", `target is ${what}; it must be an agent or a workflow of Mastra's, a target of an adapter, an agent of the AI SDK, or a function (input, turn) => answer`);
}

function callOptions({ memory: _memory, ...rest }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return rest;
}
