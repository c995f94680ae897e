// Owns the one turn of a workflow of Mastra's: it is started, and its result is the answer.

import type { WorkflowShape } from "../core/any-target.ts";
import { EntailError } from "../core/error.ts";
import { member, namesOf, recordMember, textMember } from "../core/member.ts";
import { thrownMessage } from "../core/thrown.ts";
import type { Trajectory, TrajectoryStep } from "../score/code/trajectory.ts";
import { ownContext } from "./own-context.ts";
import { valueText } from "./messages.ts";
import type { Line, LineOptions, Speaker } from "./speaker.ts";

export function workflowSpeaker(workflow: WorkflowShape): Speaker {
  return { kind: "workflow", entityType: "workflow_run", owner: workflow, open: (options) => openLine(workflow, options) };
}

async function openLine(workflow: WorkflowShape, { targetOptions, further, requestContext: given, resourceId }: LineOptions): Promise<Line> {
  const requestContext = await ownContext(given);
  return {
    requestContext,
    resourceId,
    async send(input, { signal }) {
      const run: unknown = await workflow.createRun({ disableScorers: true, ...(resourceId === undefined ? {} : { resourceId }) });
      const cancel = (): void => void Promise.resolve((member(run, "cancel") as (() => unknown) | undefined)?.call(run)).catch(() => undefined);
      signal.addEventListener("abort", cancel, { once: true });
      try {
        const start = member(run, "start") as ((options: object) => unknown) | undefined;
        if (start === undefined) throw new EntailError("option_invalid", "the workflow's run has no start()");
        const result = await start.call(run, { ...targetOptions, ...further, inputData: input, requestContext });
        signal.throwIfAborted();
        const status = textMember(result, "status");
        if (status !== "success") throw failure(status, result);
        const output = member(result, "result");
        return { input, output, text: output === undefined ? "" : valueText(output), raw: result, traceId: textMember(result, "traceId"), spanId: textMember(result, "spanId") };
      } finally {
        signal.removeEventListener("abort", cancel);
      }
    },
  };
}

function failure(status: string | undefined, result: unknown): EntailError {
  const error = member(result, "error");
  const why = error === undefined || error === null ? `it ended with the status ${JSON.stringify(status ?? "")}` : thrownMessage(error);
  return new EntailError("target_failed", `the workflow failed: ${why}`, { cause: error });
}

/** The steps of a workflow's run in the order in which they began, as a scorer of trajectories sees them. */
export function workflowTrajectory(result: unknown): Trajectory {
  const steps = recordMember(result, "steps");
  const begun = (id: string): number => {
    const at = member(member(steps, id), "startedAt");
    return typeof at === "number" ? at : 0;
  };
  const ids = namesOf(steps).filter((id) => id !== "input" && textMember(member(steps, id), "status") !== undefined);
  const read = ids.sort((one, other) => begun(one) - begun(other)).map((id): TrajectoryStep => {
    const step = member(steps, id);
    const ended = member(step, "endedAt");
    const status = textMember(step, "status");
    return { stepType: "workflow_step", name: id, stepId: id, status, success: status === "success", output: member(step, "output"), ...(typeof ended === "number" ? { durationMs: ended - begun(id) } : {}) };
  });
  return { steps: read };
}
