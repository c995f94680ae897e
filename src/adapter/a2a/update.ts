// Owns the updates of an A2A task, in every form in which they come: JSON-RPC envelopes or bare results, as 1.0 and 0.3 write them and as the SDKs
// hand them out. Each is read once, by shape, into one union.

import { listMember, member, recordMember, textMember } from "../../core/member.ts";
import { partsText, type PartsText } from "./part.ts";

/** The states of a task, as this adapter says them; `unspecified` is also for what is not said. */
export const TASK_STATES = ["unspecified", "submitted", "working", "completed", "failed", "canceled", "input_required", "rejected", "auth_required"] as const;
export type TaskState = (typeof TASK_STATES)[number];

export interface AgentMessage extends PartsText {
  /** Empty where it has none. */
  readonly id: string;
}

export interface Artifact extends PartsText {
  /** Empty where it has none. */
  readonly id: string;
}

export interface TaskStatus {
  /** The state as it was written, where it is none that is known. */
  readonly state: TaskState | { readonly unknown: string };
  readonly message: AgentMessage | undefined;
}

interface OfTask {
  /** Both empty where they are not said. */
  readonly taskId: string;
  readonly contextId: string;
}

export type Update =
  /** The task as a whole: what it has so far. */
  | (OfTask & { readonly kind: "task"; readonly status: TaskStatus; readonly artifacts: readonly Artifact[]; readonly said: readonly AgentMessage[] })
  | (OfTask & { readonly kind: "status"; readonly status: TaskStatus; readonly final: boolean | undefined })
  | (OfTask & { readonly kind: "artifact"; readonly artifact: Artifact; readonly append: boolean })
  /** An answer without a task. */
  | (OfTask & { readonly kind: "message"; readonly message: AgentMessage })
  | { readonly kind: "error"; readonly code: number | undefined; readonly message: string }
  | { readonly kind: "unknown"; readonly what: string };

/** `TASK_STATE_INPUT_REQUIRED`, `input-required`, `input_required`, or the SDK's number for it. */
function readState(written: unknown): TaskStatus["state"] {
  if (typeof written === "number") return TASK_STATES[written] ?? { unknown: String(written) };
  if (typeof written !== "string") return written === undefined || written === null ? "unspecified" : { unknown: typeof written };
  const name = written.replace(/^TASK_STATE_/, "").toLowerCase().replaceAll("-", "_");
  if (name === "unknown") return "unspecified";
  return TASK_STATES.find((state) => state === name) ?? (name === "cancelled" ? "canceled" : { unknown: written });
}

function idOf(of: unknown, ...names: readonly string[]): string {
  for (const name of names) {
    const id = textMember(of, name);
    if (id !== undefined && id !== "") return id;
  }
  return "";
}

function readMessage(message: unknown): AgentMessage {
  return { id: idOf(message, "messageId", "message_id"), ...partsText(message) };
}

function isUser(message: unknown): boolean {
  const role = member(message, "role");
  return role === "user" || role === "ROLE_USER" || role === 1;
}

function readStatus(status: unknown): TaskStatus {
  const message = recordMember(status, "message");
  return { state: readState(member(status, "state")), message: message === undefined || isUser(message) ? undefined : readMessage(message) };
}

/** aimock and older servers leave the id of an artifact out; its name then tells it from others. */
function readArtifact(artifact: unknown): Artifact {
  return { id: idOf(artifact, "artifactId", "artifact_id", "name"), ...partsText(artifact) };
}

/** What the agent has said in a task's history since the user spoke last. */
function saidLast(history: readonly unknown[]): readonly AgentMessage[] {
  return history.slice(history.findLastIndex(isUser) + 1).map(readMessage);
}

function readTask(task: unknown): Update {
  return {
    kind: "task",
    taskId: idOf(task, "id", "taskId"),
    contextId: idOf(task, "contextId", "context_id"),
    status: readStatus(member(task, "status")),
    artifacts: (listMember(task, "artifacts") ?? []).map(readArtifact),
    said: saidLast(listMember(task, "history") ?? []),
  };
}

function taskOf(update: unknown): OfTask {
  return { taskId: idOf(update, "taskId", "task_id"), contextId: idOf(update, "contextId", "context_id") };
}

function readStatusUpdate(update: unknown): Update {
  const final = member(update, "final");
  return { kind: "status", ...taskOf(update), status: readStatus(member(update, "status")), final: typeof final === "boolean" ? final : undefined };
}

function readArtifactUpdate(update: unknown): Update {
  return { kind: "artifact", ...taskOf(update), artifact: readArtifact(member(update, "artifact")), append: member(update, "append") === true };
}

function readAgentMessage(message: unknown): Update {
  return { kind: "message", ...taskOf(message), message: readMessage(message) };
}

/** What a JSON-RPC result, or an item of an SDK's stream, says: mostly one update. Never throws. */
function readResult(result: unknown): readonly Update[] {
  // 1.0: one member names what it is. The SDK keeps it as a case.
  const payload = recordMember(result, "payload");
  const named = textMember(payload, "$case");
  const of = named === undefined ? result : { [named]: member(payload, "value") };
  const task = recordMember(of, "task");
  const statusUpdate = recordMember(of, "statusUpdate") ?? recordMember(of, "status_update");
  const artifactUpdate = recordMember(of, "artifactUpdate") ?? recordMember(of, "artifact_update");
  const message = recordMember(of, "message");
  if (task !== undefined) {
    // aimock puts an artifact's update beside its task.
    const beside = recordMember(of, "artifact");
    return [readTask(task), ...(beside === undefined ? [] : [{ ...taskOf(of), kind: "artifact" as const, artifact: readArtifact(beside), append: member(beside, "append") === true }])];
  }
  if (statusUpdate !== undefined) return [readStatusUpdate(statusUpdate)];
  if (artifactUpdate !== undefined) return [readArtifactUpdate(artifactUpdate)];
  // 0.3: a kind; the answers of `tasks/get` and `tasks/cancel` of 1.0 are a bare task.
  switch (textMember(of, "kind")) {
    case "task":
      return [readTask(of)];
    case "status-update":
      return [readStatusUpdate(of)];
    case "artifact-update":
      return [readArtifactUpdate(of)];
    case "message":
      return [readAgentMessage(of)];
    case undefined:
      break;
    default:
      return [{ kind: "unknown", what: textMember(of, "kind") ?? "" }];
  }
  if (message !== undefined) return [readAgentMessage(message)];
  if (recordMember(of, "artifact") !== undefined) return [readArtifactUpdate(of)];
  if (recordMember(of, "status") !== undefined) return [textMember(of, "taskId") === undefined ? readTask(of) : readStatusUpdate(of)];
  if (listMember(of, "parts") !== undefined) return [readAgentMessage(of)];
  return [{ kind: "unknown", what: of === null ? "null" : Array.isArray(of) ? "a list" : typeof of }];
}

/** The updates of one item of a stream: an envelope of JSON-RPC, or what it would carry. Never throws. */
export function readUpdates(item: unknown): readonly Update[] {
  const error = recordMember(item, "error");
  if (error !== undefined) {
    const code = member(error, "code");
    return [{ kind: "error", code: typeof code === "number" ? code : undefined, message: textMember(error, "message") ?? "it does not say why" }];
  }
  return readResult(member(item, "result") ?? item);
}
