// Owns the target over a chat endpoint: its model is asked, the tools that were declared are run, and the model is asked again, until it answers.

import { EntailError } from "../../core/error.ts";
import type { EventStream } from "../../core/event.ts";
import type { Bounds, FailureKind, Observes } from "../../core/evidence.ts";
import { streamWarnings } from "../../core/stream-warning.ts";
import type { Target, TargetOptions } from "../../core/target.ts";
import { readTools, type ChatTool, type Toolbox } from "./chat-tool.ts";
import { runChat } from "./chat-run.ts";
import { ENDPOINT_OPTIONS, readEndpoint, type EndpointOptions } from "./endpoint.ts";
import { invalid, requireKnown } from "./options.ts";
import type { StreamWarning } from "./warning.ts";

/** A message of the chat protocol. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly [member: string]: unknown;
}

/** One turn: a text, or messages that follow what was said before. */
export type ChatInput = string | readonly ChatMessage[];

export interface ChatTargetOptions extends EndpointOptions {
  /** How the endpoint names the model. */
  readonly model?: string | undefined;
  /** What stands before the conversation, as a system message. */
  readonly instructions?: string | undefined;
  /**
   * All the tools there are; `[]` where there are none. Without it the endpoint may run tools of its own that nobody sees, so that no expectation
   * about calls can be decided.
   */
  readonly tools?: readonly ChatTool[] | undefined;
  /** True where an endpoint that runs its own tools tells each call as one of the protocol's. False when absent; not beside `tools`. */
  readonly showsCalls?: boolean | undefined;
  /** Whether the endpoint keeps the conversation itself, by what `body` or `headers` say of it; what was said before is then not sent again. False when absent. */
  readonly memory?: boolean | undefined;
  /** Asks for the answer as it is made. True when absent. */
  readonly stream?: boolean | undefined;
  /** Further members of each request: `temperature`, a user, a thread. */
  readonly body?: Readonly<Record<string, unknown>> | ((turn: TargetOptions) => Readonly<Record<string, unknown>>) | undefined;
  /** How often the model is asked in one turn, at most. 20 when absent. */
  readonly maxSteps?: number | undefined;
  /** Reads from a tool's output how much of a bounded result came back. */
  readonly bounds?: ((toolName: string, output: unknown) => Bounds | undefined) | undefined;
  /** Says what kind of failure an error of a tool is. Where it does not, an error's own `kind` and well-known names and codes do, else it is `unknown`. */
  readonly failureKind?: ((toolName: string, error: unknown) => FailureKind | undefined) | undefined;
  /** Names the run of a turn. A random id when absent. */
  readonly newRunId?: (() => string) | undefined;
}

const OPTIONS = [...ENDPOINT_OPTIONS, "model", "instructions", "tools", "showsCalls", "memory", "stream", "body", "maxSteps", "bounds", "failureKind", "newRunId"] as const;
const DEFAULT_STEPS = 20;

export interface ChatEvents extends EventStream {
  readonly observes: Observes;
  /** What was noticed so far that no evidence can hold. */
  readonly warnings: readonly StreamWarning[];
}

/** Throws `option_invalid`. */
export function chatTarget(options: ChatTargetOptions): Target<ChatInput> {
  requireKnown(options, OPTIONS, "target()");
  const { model, instructions, memory = false, showsCalls = false, stream = true, body, maxSteps = DEFAULT_STEPS, bounds, newRunId } = options;
  const endpoint = readEndpoint(options, "target()");
  const toolbox: Toolbox | undefined = options.tools === undefined ? undefined : readTools(options.tools, options.failureKind);
  if (toolbox !== undefined && showsCalls) throw invalid("target() has tools, which are run here, and showsCalls, for an endpoint that runs its own; leave one out");
  if (!Number.isSafeInteger(maxSteps) || maxSteps < 1) throw invalid(`maxSteps of target() must be a whole number, 1 or more; it is ${String(maxSteps)}`);
  for (const [name, value] of Object.entries({ memory, showsCalls, stream })) if (typeof value !== "boolean") throw invalid(`${name} of target() must be true or false`);
  for (const [name, value] of Object.entries({ model, instructions })) if (value !== undefined && typeof value !== "string") throw invalid(`${name} of target() must be a text`);
  const observes: Observes = {
    args: toolbox !== undefined || showsCalls,
    results: toolbox?.runsAll ?? false,
    failureKinds: toolbox?.runsAll ?? false,
    parents: false,
    approvals: false,
    bounds: bounds !== undefined && toolbox !== undefined,
    deltas: stream,
  };
  return {
    observes,
    memory,
    send(input, turn): ChatEvents {
      const warnings = streamWarnings<StreamWarning["code"]>();
      const messages: readonly ChatMessage[] = [
        ...(instructions === undefined ? [] : [{ role: "system", content: instructions }]),
        ...(memory ? [] : (turn.history ?? [])),
        ...(typeof input === "string" ? [{ role: "user", content: input }] : readMessagesOf(input)),
      ];
      const further = typeof body === "function" ? body(turn) : body;
      const base = { runId: newRunId?.() ?? crypto.randomUUID(), ...(turn.threadId === undefined ? {} : { sessionId: turn.threadId }) };
      const request = { ...further, ...(model === undefined ? {} : { model }), ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}), ...toolsMember(toolbox) };
      return {
        observes,
        get warnings() {
          return warnings.list();
        },
        [Symbol.asyncIterator]: () => runChat({ endpoint, request, messages, toolbox, maxSteps, bounds, base, warnings, signal: turn.signal }),
      };
    },
  };
}

function toolsMember(toolbox: Toolbox | undefined): object {
  if (toolbox === undefined || toolbox.tools.length === 0) return {};
  return { tools: toolbox.tools.map(({ name, description, inputSchema }) => ({ type: "function", function: { name, ...(description === undefined ? {} : { description }), parameters: inputSchema } })) };
}

function readMessagesOf(input: unknown): readonly ChatMessage[] {
  if (Array.isArray(input) && input.length > 0) return input as readonly ChatMessage[];
  throw new EntailError("option_invalid", "a turn of a chat endpoint is a text or a list of messages that is not empty");
}
