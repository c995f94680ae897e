// Owns what a graph's stream leaves out and its callbacks tell: why a model stopped, and which call of a tool a graph within the run belongs
// to where one task runs several.

import { listOf, member, textMember } from "../../core/member.ts";
import { pathKey, taskPathOf, type Path } from "./chunk.ts";
import { finishReasonOf } from "./message.ts";

/** LangChain's callback handler, as far as it is used. It is waited for, so that what it hears comes before the stream's next chunk. */
export interface CallbackHandler {
  readonly name: string;
  readonly awaitHandlers: boolean;
  // `any`: LangChain's own types of these arguments are its classes.
  handleChainStart(chain: any, inputs: any, runId: string, parentRunId?: string, tags?: string[], metadata?: Record<string, unknown>): void;
  handleToolStart(tool: any, input: string, runId: string, parentRunId?: string, tags?: string[], metadata?: Record<string, unknown>, runName?: string, toolCallId?: string): void;
  handleLLMEnd(output: any, runId: string): void;
}

export interface GraphWatch {
  /** For the `callbacks` of the graph's config. */
  readonly callbacks: CallbackHandler[];
  /** Why the model stopped that wrote the message of this id. */
  finishReason(messageId: string): string | undefined;
  /** The message of this id came to no end, though its provider always gives a reason for one. LangChain takes it for whole. */
  brokeOff(messageId: string): boolean;
  /** The tool's call that the graph at `path` runs within. */
  callOf(path: Path): { readonly path: Path; readonly rawId: string } | undefined;
}

interface ToolRun {
  readonly path: Path;
  readonly rawId: string;
}

const MAX_STEPS = 1000;

/** Providers that end every answer with a reason. */
const REASONED: ReadonlySet<string> = new Set(["openai", "anthropic"]);

/** Makes a watch for one run of a graph. */
export function watch(): GraphWatch {
  const reasons = new Map<string, string>();
  const cut = new Set<string>();
  const parents = new Map<string, string>();
  const toolRuns = new Map<string, ToolRun>();
  const graphs = new Map<string, ToolRun | undefined>();

  /** The tool nearest above a run. */
  const toolAbove = (runId: string | undefined): ToolRun | undefined => {
    let at = runId;
    for (let steps = 0; at !== undefined && steps < MAX_STEPS; steps++) {
      const tool = toolRuns.get(at);
      if (tool !== undefined) return tool;
      at = parents.get(at);
    }
    return undefined;
  };

  const handler: CallbackHandler = {
    name: "entail",
    awaitHandlers: true,
    handleChainStart(_chain, _inputs, runId, parentRunId, _tags, metadata) {
      if (parentRunId !== undefined) parents.set(runId, parentRunId);
      const path = taskPathOf(metadata).slice(0, -1);
      if (path.length > 0 && !graphs.has(pathKey(path))) graphs.set(pathKey(path), toolAbove(parentRunId));
    },
    handleToolStart(_tool, _input, runId, parentRunId, _tags, metadata, _runName, toolCallId) {
      if (parentRunId !== undefined) parents.set(runId, parentRunId);
      if (typeof toolCallId === "string" && toolCallId !== "") toolRuns.set(runId, { path: taskPathOf(metadata).slice(0, -1), rawId: toolCallId });
    },
    handleLLMEnd(output) {
      for (const generations of listOf(member(output, "generations")) ?? []) {
        for (const generation of listOf(generations) ?? []) {
          const message = member(generation, "message");
          const metadata = member(message, "response_metadata");
          const id = textMember(message, "id");
          const reason = finishReasonOf(member(generation, "generationInfo")) ?? finishReasonOf(metadata);
          if (id === undefined) continue;
          if (reason !== undefined) reasons.set(id, reason);
          else if (REASONED.has(textMember(metadata, "model_provider") ?? "") && textMember(metadata, "status") !== "completed") cut.add(id);
        }
      }
    },
  };

  return {
    callbacks: [handler],
    finishReason: (messageId) => reasons.get(messageId),
    brokeOff: (messageId) => cut.has(messageId) && !reasons.has(messageId),
    callOf: (path) => graphs.get(pathKey(path)),
  };
}
