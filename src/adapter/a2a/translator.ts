// Owns the way from the updates of one task to Entail's events: artifacts are kept until the run's end, since a later update may replace them.

import { EntailError } from "../../core/error.ts";
import type { StreamEvent } from "../../core/event.ts";
import type { TerminalPhase } from "../../core/evidence.ts";
import type { AgentMessage, Artifact, TaskState, TaskStatus, Update } from "./update.ts";
import type { Warnings } from "./warning.ts";

/** What a task had already said in an earlier run, by artifact: it is not said again. */
export type EarlierArtifacts = ReadonlyMap<string, string>;

export interface TranslatorOptions {
  readonly runId: string;
  /** The context of the task where it is absent. */
  readonly sessionId?: string | undefined;
  readonly earlier?: EarlierArtifacts | undefined;
  /** Whether a task that asks for credentials stays open, because somebody brings them. */
  readonly waitsForAuthorization: boolean;
  readonly warnings: Warnings;
}

export interface Translator {
  /** Throws `stream_incomplete` for an error that the agent sends instead of an update. */
  take(update: Update): StreamEvent[];
  /** True once nothing more can come of this run. */
  readonly over: boolean;
  readonly taskId: string;
  readonly contextId: string;
  /** True where the task goes on with the next message. */
  readonly open: boolean;
  /** True where the task, as it was seen last, does nothing more by itself. */
  readonly stopped: boolean;
  /** Every artifact's text, those of earlier runs too. */
  artifacts(): EarlierArtifacts;
  /** The answer as far as it was seen; said once, before the end. */
  rest(): StreamEvent[];
  /** The end of the run; nothing where it came to none. */
  end(): StreamEvent[];
}

const PHASES: ReadonlyMap<TaskState, TerminalPhase> = new Map([
  ["completed", "completed"],
  ["failed", "failed"],
  ["rejected", "failed"],
  ["canceled", "cancelled"],
  ["input_required", "suspended"],
  ["auth_required", "suspended"],
]);

/** Between two artifacts, or an artifact and the words that close the task. */
const APART = "\n\n";

export function translator({ runId, sessionId, earlier = new Map(), waitsForAuthorization, warnings }: TranslatorOptions): Translator {
  const artifacts = new Map<string, string>(earlier);
  const messageIds = new Set<string>();
  /** What was said while the task was under way. */
  const underWay: string[] = [];
  let taskId = "";
  let contextId = "";
  let state: TaskState = "unspecified";
  let closing = "";
  /** Words of an answer without a task. */
  let answered: string | undefined;
  let over = false;
  let taskSeen = false;
  let answerText: string | undefined;

  const base = (): { readonly runId: string; readonly sessionId?: string } => {
    const session = sessionId ?? contextId;
    return session === "" ? { runId } : { runId, sessionId: session };
  };

  const words = ({ text, otherParts }: AgentMessage | Artifact): string => {
    if (otherParts > 0) warnings.add("part_not_text", "parts that are neither text nor data were left out of the answer");
    return text;
  };

  /** Said once, however often an update or a snapshot repeats it. */
  const say = (message: AgentMessage): StreamEvent[] => {
    if (message.id !== "" && messageIds.has(message.id)) return [];
    messageIds.add(message.id);
    const text = words(message);
    if (text === "") return [];
    underWay.push(text);
    return [{ ...base(), type: "assistant_turn", text }];
  };

  const setStatus = ({ state: said, message }: TaskStatus): StreamEvent[] => {
    const events: StreamEvent[] = [];
    if (typeof said !== "string") {
      // A state that is not known may be an end or not: the run has none then, unless a later one says it.
      warnings.add("state_unknown", `the task is in a state that is not known: ${JSON.stringify(said.unknown)}`);
      state = "unspecified";
    } else if (said !== "unspecified" && said !== state) {
      if (!PHASES.has(said)) events.push({ ...base(), type: "workflow", phase: said });
      state = said;
      closing = "";
    }
    if (message === undefined) return events;
    if (PHASES.has(state)) closing = words(message);
    else events.push(...say(message));
    if (message.id !== "") messageIds.add(message.id);
    return events;
  };

  const setArtifact = (artifact: Artifact, append: boolean): void => {
    const text = words(artifact);
    const before = artifacts.get(artifact.id);
    if (append) artifacts.set(artifact.id, (before ?? "") + text);
    else {
      if (before !== undefined && !text.startsWith(before)) warnings.add("artifact_replaced", `the artifact ${JSON.stringify(artifact.id)} was replaced; the answer holds its last form`);
      artifacts.set(artifact.id, text);
    }
  };

  /** False for an update of another task or context. */
  const belongs = (update: { readonly taskId: string; readonly contextId: string }): boolean => {
    if (update.taskId !== "" && taskId !== "" && update.taskId !== taskId) {
      warnings.add("task_foreign", `an update of the task ${JSON.stringify(update.taskId)} came in the stream of ${JSON.stringify(taskId)}; it was left out`);
      return false;
    }
    if (taskId === "") taskId = update.taskId;
    if (contextId === "") contextId = update.contextId;
    return true;
  };

  const isOpen = (): boolean => state === "input_required" || state === "auth_required";
  const hasStopped = (): boolean => PHASES.has(state) && !(state === "auth_required" && waitsForAuthorization);

  const answer = (): string => {
    const said = [...artifacts].flatMap(([id, text]) => {
      const known = earlier.get(id);
      const fresh = known === undefined ? text : text.startsWith(known) ? text.slice(known.length) : text;
      return fresh === "" ? [] : [fresh];
    });
    if (answered !== undefined && answered !== "") said.push(answered);
    // Some agents close with the very words of their artifact.
    if (closing !== "" && closing !== said.join(APART) && !said.includes(closing)) said.push(closing);
    if (said.length > 0) return said.join(APART);
    if (underWay.length > 0) warnings.add("answer_from_progress", "the task gave neither an artifact nor closing words; its answer is what it said while it was under way");
    return underWay.join("");
  };

  return {
    take(update) {
      if (update.kind === "error") {
        throw new EntailError("stream_incomplete", `the agent sent an error instead of an end of its task: ${update.message}${update.code === undefined ? "" : ` (JSON-RPC ${update.code})`}`);
      }
      if (update.kind === "unknown") {
        warnings.add("update_unknown", `an update that is not known was left out: ${update.what}`);
        // The collector counts what it does not know, so that evidence shows it too.
        return [{ ...base(), type: `a2a:${update.what}` } as unknown as StreamEvent];
      }
      if (over || !belongs(update)) return [];
      if (update.kind !== "message") taskSeen = true;
      switch (update.kind) {
        case "task": {
          for (const artifact of update.artifacts) setArtifact(artifact, false);
          const said = update.said.filter(({ id }) => id === "" || id !== update.status.message?.id);
          // A snapshot of a task that goes on may still show the state in which it had stopped.
          const events = [...(PHASES.has(state) ? [] : said.flatMap(say)), ...setStatus(update.status)];
          over = hasStopped() && !isOpen();
          return events;
        }
        case "status": {
          const events = setStatus(update.status);
          over = hasStopped() && !(isOpen() && update.final === false);
          return events;
        }
        case "artifact":
          setArtifact(update.artifact, update.append);
          return [];
        case "message":
          answered = (answered ?? "") + words(update.message);
          over = !taskSeen;
          return [];
        default:
          return update satisfies never;
      }
    },
    get over() {
      return over;
    },
    get taskId() {
      return taskId;
    },
    get contextId() {
      return contextId;
    },
    get open() {
      return isOpen();
    },
    get stopped() {
      return hasStopped();
    },
    artifacts: () => new Map(artifacts),
    rest() {
      if (answerText !== undefined) return [];
      answerText = answer();
      return answerText === "" ? [] : [{ ...base(), type: "assistant_reply", text: answerText }];
    },
    end() {
      const phase = PHASES.get(state) ?? (answered !== undefined && !taskSeen ? "completed" : undefined);
      if (phase === undefined) return [];
      if (phase === "completed" && answerText === "") warnings.add("answer_empty", "the task completed without a word of answer");
      return [
        {
          ...base(),
          type: "workflow",
          phase,
          ...(phase === "failed" ? { failure: { message: closing === "" ? `the task was ${state} without saying why` : closing, kind: state } } : {}),
          ...(phase === "cancelled" ? { cancellation: closing === "" ? {} : { reason: closing } } : {}),
        },
        { ...base(), type: "run_stream_end" },
      ];
    },
  };
}
