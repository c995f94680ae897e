// Owns the conversation with a target: its events become evidence, and the evidence the messages that scorers read.

import { EntailError } from "../core/error.ts";
import type { EventStream, StreamEvent } from "../core/event.ts";
import type { Evidence } from "../core/evidence.ts";
import { heldFor, heldSince, thisMoment } from "../core/held-event.ts";
import { textMember } from "../core/member.ts";
import type { Target, TargetOptions } from "../core/target.ts";
import { collect } from "../evidence/collect.ts";
import { agentInput, evidenceMessages } from "./messages.ts";
import type { Answer, LineOptions, SendOptions, Speaker, Suspension } from "./speaker.ts";

/** More events in one turn are no conversation. */
const MAX_EVENTS = 1_000_000;

/** How the messages of a turn are had where the evidence does not hold all of them. */
export interface TargetLine {
  readonly target: Target<any>;
  readonly messages?: ((turn: number) => readonly unknown[] | undefined) | undefined;
  /** What the target itself threw, where that is known: to whoever reads its events the stream just broke. */
  readonly threw?: (() => { readonly thrown: unknown } | undefined) | undefined;
}

/** `open` gives each conversation its own; a target that keeps nothing may give the same to all. */
export function targetSpeaker(open: (options: LineOptions) => TargetLine): Speaker {
  return {
    kind: "agent",
    entityType: "agent",
    open(options) {
      const { target, messages, threw } = open(options);
      const threadId = options.threadId ?? crypto.randomUUID();
      const resourceId = textMember(options.targetOptions["memory"], "resource") ?? options.resourceId ?? threadId;
      return {
        threadId,
        resourceId,
        requestContext: options.requestContext,
        send: (input, { turn, signal, history, attach, clock }) => {
          const sent: TargetOptions = { signal, threadId, resourceId, turn, ...(target.memory ? {} : { history }) };
          return answer({ target, input, sent, attach, messages, threw, seen: [], clock, began: clock.elapsed() }, target.send(input, sent));
        },
      };
    },
  };
}

interface Sent {
  readonly target: Target<any>;
  readonly input: unknown;
  readonly sent: TargetOptions;
  readonly attach: SendOptions["attach"];
  readonly messages: TargetLine["messages"];
  readonly threw: TargetLine["threw"];
  /** The events of this turn before the run stopped for approval. */
  readonly seen: readonly Told[];
  /** False where what was seen before has no times, so that there can be none for the whole. */
  readonly clock: SendOptions["clock"] | false;
  readonly began: number;
}

/** An event, and when it came. */
interface Told {
  readonly event: StreamEvent;
  readonly at: number;
}

/** The moment to which the reader's clock is turned back while events are told again. */
interface Replay {
  at: number | undefined;
}

async function answer(turn: Sent, stream: ReturnType<Target["send"]>): Promise<Answer> {
  const { signal } = turn.sent;
  const told: Told[] = [];
  const { target, clock } = turn;
  const replay: Replay = { at: turn.began };
  const seen: EventStream = {
    // Only the stream may know what came of it; where it says nothing, its target does.
    get observes() {
      return (stream as EventStream).observes ?? target.observes;
    },
    [Symbol.asyncIterator]: () => (target.resume === undefined ? stream : continued(turn, stream, told, replay))[Symbol.asyncIterator](),
  };
  const toldClock = clock !== false && target.resume !== undefined ? { elapsed: () => replay.at ?? clock.elapsed() } : clock;
  const evidence = await collect(seen, { signal, attach: turn.attach, clock: toldClock }).catch((error: unknown) => {
    const threw = turn.threw?.();
    throw threw === undefined || signal.aborted ? error : threw.thrown;
  });
  signal.throwIfAborted();
  const { terminalPhase, terminalFailure } = evidence;
  if (terminalPhase === "failed" || terminalPhase === "cancelled") {
    throw new EntailError("target_failed", `the target's run ${terminalPhase === "failed" ? `failed: ${terminalFailure?.message ?? "it does not say why"}` : "was cancelled"}`, { evidence });
  }
  return {
    input: agentInput(turn.input),
    output: turn.messages?.(turn.sent.turn ?? 0) ?? evidenceMessages(evidence),
    text: evidence.answer,
    evidence,
    usage: evidence.usage,
    raw: evidence,
    ...(terminalPhase === "suspended" && { suspension: suspension(turn, evidence, told) }),
  };
}

function suspension(turn: Sent, evidence: Evidence, told: readonly Told[]): Suspension {
  const { confirmation } = evidence;
  const { target } = turn;
  const toolName = confirmation?.toolName ?? "";
  const resume = target.resume?.bind(target);
  if (resume === undefined || confirmation === undefined) return { toolName };
  return {
    toolName,
    decide(approved) {
      if (told.length > MAX_EVENTS) throw new EntailError("target_failed", "the target stopped for approval again and again within one turn");
      return answer({ ...turn, seen: told.filter(({ event }) => !isEnd(event)), clock: evidence.durationMs === undefined ? false : turn.clock }, resume({ confirmation, approved, evidence }, turn.sent));
    },
  };
}

const isEnd = ({ type }: StreamEvent): boolean => type === "workflow" || type === "run_stream_end";

/** The turn's run as one: what it did before it stopped, at the times at which it did it, and what it did from there, whatever id it has now. All of it is kept in `told`. */
async function* continued({ seen, clock }: Sent, stream: ReturnType<Target["send"]>, told: Told[], replay: Replay): AsyncGenerator<StreamEvent, void> {
  const first = seen[0]?.event.runId;
  for (const each of seen) {
    told.push(each);
    replay.at = each.at;
    // As a copy: how long the adapter had held it counted then.
    yield { ...each.event };
  }
  replay.at = undefined;
  let own: string | undefined;
  for await (const event of stream) {
    own ??= event.runId;
    const renamed = first !== undefined && event.runId === own ? { ...event, runId: first } : event;
    const held = heldFor(event);
    told.push({ event: renamed, at: clock === false ? 0 : clock.elapsed() - held });
    if (renamed !== event) heldSince(renamed, thisMoment() - held);
    yield renamed;
  }
}
