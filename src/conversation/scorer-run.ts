// Owns what a scorer is given: of the whole conversation, of one turn, of one step of a workflow.

import { member, recordMember, textMember } from "../core/member.ts";
import type { ScorerRun } from "../core/scorer.ts";
import { addUsage } from "../core/usage.ts";
import { trajectoryOf } from "../score/code/trajectory.ts";
import { joinEvidence } from "./join-evidence.ts";
import type { Measure } from "./measure.ts";
import type { ReadItem, ReadTurn } from "./read-data.ts";
import { workflowTrajectory } from "./speak-workflow.ts";
import type { Answer, Speaker } from "./speaker.ts";
import type { Conversation, SpokenTurn } from "./talk.ts";

/** A turn that got its answer. */
export interface AnsweredTurn extends SpokenTurn {
  readonly answer: Answer;
}

export function answered(turn: SpokenTurn): turn is AnsweredTurn {
  return turn.answer !== undefined;
}

export interface Scored {
  readonly item: ReadItem;
  readonly conversation: Conversation;
  readonly speaker: Speaker;
}

/** Of all turns. `run.input` is the first turn's; what was said turn by turn is in `run.turns`, where there may be several. */
export function wholeRun({ item, conversation, speaker }: Scored): ScorerRun {
  const turns = conversation.turns.filter(answered);
  const [first] = turns;
  const last = turns.at(-1);
  const whole = common(item, conversation, speaker, last?.answer);
  if (item.form === "input") return { ...whole, ...ofTurn(first) };
  const evidence = joinEvidence(turns.map(({ answer }) => answer.evidence));
  const usage = addUsage(...turns.map(({ answer }) => answer.usage));
  return {
    ...whole,
    input: first?.answer.input,
    output: turns.flatMap(({ answer: { output } }) => (Array.isArray(output) ? (output as readonly unknown[]) : [output])),
    turns: turns.map((turn) => ({
      turn: turn.turn,
      ...(item.script[turn.turn]?.id !== undefined && { id: item.script[turn.turn]?.id }),
      ...ofTurn(turn),
      input: turn.answer.input,
      ...(conversation.line.threadId !== undefined && { threadId: conversation.line.threadId }),
    })),
    ...(evidence !== undefined && { evidence }),
    ...(usage !== undefined && { usage }),
    durationMs: turns.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0),
  };
}

/** Of one turn alone. */
export function turnRun({ item, conversation, speaker }: Scored, turn: AnsweredTurn, scripted: ReadTurn | undefined): ScorerRun {
  const own = scripted?.groundTruth;
  return { ...common(item, conversation, speaker, turn.answer), ...ofTurn(turn), ...(own !== undefined && { groundTruth: own.value }) };
}

function common({ item }: ReadItem, { line }: Conversation, { entityType }: Speaker, answer: Answer | undefined): Omit<ScorerRun, "output"> {
  const { groundTruth, expectedTrajectory } = item;
  return {
    ...(groundTruth !== undefined && { groundTruth }),
    ...(expectedTrajectory !== undefined && { expectedTrajectory }),
    ...(line.requestContext !== undefined && { requestContext: line.requestContext }),
    scoreSource: "experiment",
    targetScope: "span",
    targetEntityType: entityType,
    ...(answer?.traceId !== undefined && { targetTraceId: answer.traceId }),
    ...(answer?.spanId !== undefined && { targetSpanId: answer.spanId }),
    ...(line.threadId !== undefined && { threadId: line.threadId }),
    ...(line.resourceId !== undefined && { resourceId: line.resourceId }),
  };
}

function ofTurn(turn: AnsweredTurn | undefined): Pick<ScorerRun, "input" | "output" | "evidence" | "usage" | "durationMs"> {
  if (turn === undefined) return { output: undefined };
  const { answer, durationMs } = turn;
  const { input, output, evidence, usage } = answer;
  return { input, output, ...(evidence !== undefined && { evidence }), ...(usage !== undefined && { usage }), ...(durationMs !== undefined && { durationMs }) };
}

/** What this measure is given of `run`: a scorer of trajectories the steps, wherever it stands; one of a step what the step was given and gave. Throws where that cannot be read. */
export function runFor({ scorer, step }: Measure, run: ScorerRun, speaker: Speaker, raw: unknown): ScorerRun | { readonly absent: string } {
  if (step !== undefined) return stepRun(step, run, raw);
  if (scorer.type !== "trajectory") return run;
  const output = speaker.kind === "workflow" ? workflowTrajectory(raw) : trajectoryOf(run);
  return { ...run, output, targetScope: "trajectory" };
}

function stepRun(id: string, run: ScorerRun, raw: unknown): ScorerRun | { readonly absent: string } {
  const step = recordMember(recordMember(raw, "steps"), id);
  if (step === undefined) return { absent: `the workflow ran no step ${JSON.stringify(id)}` };
  const status = textMember(step, "status");
  const output = member(step, "output");
  if (status !== "success" || output === undefined) return { absent: `the step ${JSON.stringify(id)} ${status === "success" ? "gave nothing" : `ended with the status ${JSON.stringify(status ?? "")}`}` };
  return { ...run, input: member(step, "payload") ?? run.input, output, targetEntityType: "workflow_step" };
}
