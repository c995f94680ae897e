// Owns the tracing of the AI SDK's agents by the GenAI conventions: a telemetry integration of the SDK that writes real spans of the OpenTelemetry SDK.
import { AsyncLocalStorage } from "node:async_hooks";
import { ROOT_CONTEXT, SpanStatusCode, trace, type Span } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from "@opentelemetry/sdk-trace-base";
import type { ContentPart, ModelMessage, Telemetry, ToolSet } from "ai";

interface Run {
  readonly root: Span;
  model?: Span | undefined;
  readonly tools: Map<string, Span>;
}

export interface Tracing {
  readonly telemetry: Telemetry;
  /** The spans that ended so far, in the order of their ends: children before their parents. */
  spans(): readonly ReadableSpan[];
}

const asText = (value: unknown): string => JSON.stringify(value) ?? "null";

function outputParts(content: readonly ContentPart<ToolSet>[]): object[] {
  return content.flatMap((part): object[] => {
    if (part.type === "text") return [{ type: "text", content: part.text }];
    if (part.type === "tool-call") return [{ type: "tool_call", id: part.toolCallId, name: part.toolName, arguments: part.input as unknown }];
    return part.type === "tool-result" ? [{ type: "tool_call_response", id: part.toolCallId, response: part.output as unknown }] : [];
  });
}

function inputMessages(messages: readonly ModelMessage[]): object[] {
  return messages.map((message) => ({
    role: message.role,
    parts: typeof message.content === "string" ? [{ type: "text", content: message.content }] : message.content.flatMap((part): object[] => (part.type === "tool-result" ? [{ type: "tool_call_response", id: part.toolCallId, response: "value" in part.output ? part.output.value : null }] : [])),
  }));
}

/** `content` says whether messages, arguments and results are recorded: the conventions make them opt-in. */
export function tracing({ content = true, conversationId }: { readonly content?: boolean; readonly conversationId?: string } = {}): Tracing {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("test");
  const within = new AsyncLocalStorage<Span>();
  const runs = new Map<string, Run>();
  const begin = (name: string, operation: string, parent: Span | undefined, attributes: Record<string, string> = {}): Span =>
    tracer.startSpan(name, { attributes: { "gen_ai.operation.name": operation, ...attributes } }, parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent));
  const record = (span: Span | undefined, attributes: Record<string, unknown>): void => {
    if (content) for (const [name, value] of Object.entries(attributes)) span?.setAttribute(name, asText(value));
  };
  const fail = (span: Span | undefined, error: unknown): void => {
    const { name, message } = error instanceof Error ? error : { name: "_OTHER", message: String(error) };
    span?.setAttribute("error.type", name).setStatus({ code: SpanStatusCode.ERROR, message });
  };
  const close = (callId: string, error: unknown): void => {
    const run = runs.get(callId);
    if (run === undefined) return;
    for (const span of [...run.tools.values(), ...(run.model === undefined ? [] : [run.model]), run.root]) {
      if (error !== undefined) fail(span, error);
      span.end();
    }
    runs.delete(callId);
  };
  const telemetry: Telemetry = {
    onStart({ callId }) {
      runs.set(callId, { root: begin("invoke_agent test", "invoke_agent", within.getStore(), conversationId === undefined ? {} : { "gen_ai.conversation.id": conversationId }), tools: new Map() });
    },
    onLanguageModelCallStart({ callId, modelId, messages }) {
      const run = runs.get(callId);
      if (run === undefined) return;
      run.model = begin(`chat ${modelId}`, "chat", run.root);
      record(run.model, { "gen_ai.input.messages": inputMessages(messages) });
    },
    onLanguageModelCallEnd({ callId, content: parts, finishReason, usage }) {
      const run = runs.get(callId);
      record(run?.model, { "gen_ai.output.messages": [{ role: "assistant", parts: outputParts(parts), finish_reason: finishReason }] });
      run?.model?.setAttribute("gen_ai.response.finish_reasons", [finishReason]).setAttributes({ "gen_ai.usage.input_tokens": usage.inputTokens ?? 0, "gen_ai.usage.output_tokens": usage.outputTokens ?? 0 }).end();
      if (run !== undefined) run.model = undefined;
    },
    onToolExecutionStart({ callId, toolCall }) {
      const run = runs.get(callId);
      if (run === undefined) return;
      const span = begin(`execute_tool ${toolCall.toolName}`, "execute_tool", run.root, { "gen_ai.tool.name": toolCall.toolName, "gen_ai.tool.call.id": toolCall.toolCallId });
      record(span, { "gen_ai.tool.call.arguments": toolCall.input });
      run.tools.set(toolCall.toolCallId, span);
    },
    executeTool({ callId, toolCallId, execute }) {
      const span = runs.get(callId)?.tools.get(toolCallId);
      return span === undefined ? execute() : within.run(span, execute);
    },
    onToolExecutionEnd({ callId, toolCall, toolOutput }) {
      const run = runs.get(callId);
      const span = run?.tools.get(toolCall.toolCallId);
      if (toolOutput.type === "tool-error") fail(span, toolOutput.error);
      else record(span, { "gen_ai.tool.call.result": toolOutput.output });
      span?.end();
      run?.tools.delete(toolCall.toolCallId);
    },
    onEnd(event) {
      if ("finishReason" in event) runs.get(event.callId)?.root.setAttribute("gen_ai.response.finish_reasons", [event.finishReason]);
      close(event.callId, undefined);
    },
    onAbort({ callId }) {
      close(callId, Object.assign(new Error("the run was aborted"), { name: "AbortError" }));
    },
    onError(event) {
      const { callId, error } = event as { readonly callId: string; readonly error: unknown };
      close(callId, error);
    },
  };
  return { telemetry, spans: () => exporter.getFinishedSpans() };
}
