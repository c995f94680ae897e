// Owns the reading of MCP results within another framework's events: frameworks hand them on as they came, failures and pages within.

import type { EventStream, StreamEvent, ToolEndEvent } from "../../core/event.ts";
import { OBSERVES_EVERYTHING, type Observes } from "../../core/evidence.ts";
import { canonicalText, valueOf } from "../../json/json-value.ts";
import { type JsonNode, readJson } from "../../json/read-json.ts";
import { fromMcpResult, isMcpResult, type McpResultOptions } from "./result.ts";

export interface McpResultsOptions extends McpResultOptions {
  /** The tools that are an MCP server's, by the names that the model calls. Every result of MCP's form is read where this is absent. */
  readonly tools?: readonly string[] | undefined;
}

/**
 * The same events, in which the end of a call with a result of MCP's says what that result means: `isError` is a failure, structured content the
 * result, paging the bounds. For agents whose framework hands MCP results on as they are: `collect(mcpResults(events(agent.stream(…))), ctx)`.
 */
export function mcpResults(events: AsyncIterable<StreamEvent> & { readonly observes?: Observes | undefined }, options: McpResultsOptions = {}): EventStream & { readonly observes: Observes } {
  const { tools, ...reading } = options;
  const named = tools === undefined ? undefined : new Set(tools);
  async function* read(): AsyncGenerator<StreamEvent, void> {
    for await (const event of events) {
      yield event.type === "tool_end" && named?.has(event.toolName) !== false ? withMeaning(event, reading) : event;
    }
  }
  return { observes: { ...(events.observes ?? OBSERVES_EVERYTHING), bounds: true }, [Symbol.asyncIterator]: read };
}

function withMeaning(event: ToolEndEvent, options: McpResultOptions): ToolEndEvent {
  const node = event.resultJson === undefined ? undefined : nodeOf(event.resultJson);
  const value = node === undefined ? event.result : valueOf(node);
  if (!isMcpResult(value)) return event;
  const { result: _result, resultJson: _resultJson, ...rest } = event;
  const meaning = fromMcpResult(value, options);
  const structured = node?.kind === "object" ? node.members.get("structuredContent") : undefined;
  // Where the whole came as text, its structured content keeps every digit.
  const digits = meaning.failure === undefined && structured !== undefined && structured.kind !== "null" ? { resultJson: canonicalText(structured) } : {};
  return { ...rest, ...(event.bounds === undefined ? {} : { bounds: event.bounds }), ...withoutBounds(meaning, event), ...digits };
}

/** Bounds that the source itself read are not overruled. */
function withoutBounds(meaning: ReturnType<typeof fromMcpResult>, { bounds: known }: ToolEndEvent): ReturnType<typeof fromMcpResult> {
  if (known === undefined || meaning.bounds === undefined) return meaning;
  const { bounds: _bounds, ...rest } = meaning;
  return rest;
}

function nodeOf(text: string): JsonNode | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
