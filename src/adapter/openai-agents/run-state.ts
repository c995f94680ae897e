// Owns what the SDK's own result of a run tells beside its stream: its items, who was allowed what, what it still waits for, and its final output.

import { EntailError } from "../../core/error.ts";
import { flagMember, listMember, member, textMember } from "../../core/member.ts";

export interface RunState {
  /** False where there is only a stream, so that its end says nothing of how the run ended. */
  readonly known: boolean;
  /** Every item of the run so far, those of the runs before an approval included. */
  items(): readonly unknown[];
  /** What was decided about a call; `undefined` where nobody was asked, or nobody has said. */
  approved(toolName: string, rawId: string): boolean | undefined;
  /** True where a guardrail gave `text` to the model in place of a call. */
  refusedByGuardrail(text: string): boolean;
  /** Requests for approval that the run stopped at, those of nested agents included. */
  interruptions(): readonly unknown[];
  /** Items of the model's last response. They are kept also where the run broke before it told them. */
  lastResponse(): readonly unknown[];
  readonly cancelled: boolean;
  /** The final output as text; `undefined` where there is none. */
  finalText(): string | undefined;
}

export const NO_STATE: RunState = {
  known: false,
  items: () => [],
  approved: () => undefined,
  refusedByGuardrail: () => false,
  interruptions: () => [],
  lastResponse: () => [],
  cancelled: false,
  finalText: () => undefined,
};

/** True for a result of `run`, streamed or not. */
export function isResult(source: unknown): boolean {
  return listMember(source, "newItems") !== undefined && member(source, "state") !== undefined;
}

/** Reads by shape and never throws. */
export function runState(result: unknown): RunState {
  return {
    known: true,
    items: () => listMember(result, "newItems") ?? [],
    approved(toolName, rawId) {
      const context = member(result, "runContext");
      const asked = member(context, "isToolApproved");
      try {
        const said: unknown = typeof asked === "function" ? (asked as (call: object) => unknown).call(context, { toolName, callId: rawId }) : undefined;
        return typeof said === "boolean" ? said : undefined;
      } catch {
        return undefined;
      }
    },
    refusedByGuardrail: (text) =>
      (listMember(result, "toolInputGuardrailResults") ?? []).some((one) => {
        const behavior = member(member(one, "output"), "behavior");
        return textMember(behavior, "type") === "rejectContent" && textMember(behavior, "message") === text;
      }),
    interruptions: () => listMember(result, "interruptions") ?? [],
    lastResponse: () => listMember(listMember(result, "rawResponses")?.at(-1), "output") ?? [],
    get cancelled() {
      return flagMember(result, "cancelled");
    },
    finalText() {
      const output = member(result, "finalOutput");
      if (output === undefined || output === null || typeof output === "string") return output ?? undefined;
      try {
        return JSON.stringify(output);
      } catch {
        return undefined;
      }
    },
  };
}

/** The state of a run that rejected: the SDK's errors carry it. */
export function stateOfError(error: unknown): RunState {
  const state = member(error, "state");
  if (typeof state !== "object" || state === null) return NO_STATE;
  return runState({ newItems: member(state, "_generatedItems"), rawResponses: member(state, "_modelResponses"), runContext: member(state, "_context"), toolInputGuardrailResults: member(state, "_toolInputGuardrailResults"), state });
}

/** Answers every request that the run of `result` stopped at, and gives the state from which the SDK goes on. Throws `option_invalid` where it has none. */
export function decide(result: unknown, approved: boolean): object {
  const state = member(result, "state");
  const asked = listMember(result, "interruptions") ?? [];
  const answer = member(state, approved ? "approve" : "reject");
  if (typeof state !== "object" || state === null || typeof answer !== "function" || asked.length === 0) {
    throw new EntailError("option_invalid", "resume() needs the SDK's own result of the run that stopped, with the state and the interruptions that it waits for; let the runner of target() give that");
  }
  for (const one of asked) (answer as (asked: unknown) => void).call(state, one);
  return state;
}
