// Owns the row about the collector: events a second, over runs of a thousand tool calls.
import { createCollector, type StreamEvent } from "entail/evidence";
import type { Figure } from "../figure.ts";

const CALLS = 1000;

function eventsOfOneRun(): StreamEvent[] {
  const events: StreamEvent[] = [];
  for (let n = 0; n < CALLS; n++) {
    const call = { runId: "run", sessionId: "session", toolCallId: `call-${n}`, toolName: "list_alarms" };
    events.push({ type: "tool_start", ...call, argsJson: '{"window":"24h","cursor":"after-10"}' });
    events.push({ type: "tool_end", ...call, resultJson: '{"alarms":[{"id":"A-101","severity":"critical"}],"total":1}', bounds: { returned: 1, truncated: false } });
    events.push({ type: "assistant_reply", runId: "run", sessionId: "session", text: "One alarm. " });
  }
  events.push({ type: "workflow", runId: "run", sessionId: "session", phase: "completed" }, { type: "run_stream_end", runId: "run", sessionId: "session" });
  return events;
}

export async function* collector(): AsyncGenerator<Figure> {
  const events = eventsOfOneRun();
  const once = (): void => {
    const collecting = createCollector();
    for (const event of events) collecting.consume(event);
    if (collecting.finish().toolCalls.length !== CALLS) throw new Error("the collector lost a call");
  };
  for (let warm = 0; warm < 30; warm++) once();
  const runs = 200;
  const started = performance.now();
  for (let run = 0; run < runs; run++) once();
  yield { name: "collector", value: (runs * events.length * 1000) / (performance.now() - started), unit: "events/s", note: "arguments and results parsed, evidence frozen" };
}
