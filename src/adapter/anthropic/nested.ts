// Owns the run of an agent that a tool starts: its events, moved below the call that the tool serves.

import { EntailError } from "../../core/error.ts";
import type { StreamEvent } from "../../core/event.ts";
import { isIterable, iterate } from "../../core/iterate.ts";
import { textMember } from "../../core/member.ts";
import type { EventBase } from "./call-events.ts";

/** Hands on every event of `stream` as one below the call `parent`, and gives what the agent said. Rejects as the stream does. */
export async function nestedEvents(stream: AsyncIterable<StreamEvent>, base: EventBase, parent: string, push: (events: readonly StreamEvent[]) => void): Promise<string> {
  if (!isIterable(stream)) throw new EntailError("option_invalid", "nested() takes the events of an agent's run, as target.send() and events() give them");
  let root: string | undefined;
  let answer = "";
  for await (const item of iterate(stream)) {
    const event = item as StreamEvent;
    root ??= event.runId;
    const below = event.runId === undefined || event.runId === root ? "" : `/${event.runId}`;
    if (event.type === "assistant_reply" && below === "") answer += event.text;
    // What the agent consumed is part of what the run did; how it ended says nothing of how the run does.
    const moved: Record<string, unknown> = { ...event, sessionId: base.sessionId, runId: `${base.runId}/${parent}${below}` };
    const toolCallId = textMember(event, "toolCallId");
    if (toolCallId !== undefined) moved["toolCallId"] = `${parent}/${toolCallId}`;
    const above = textMember(event, "parentToolCallId");
    if (above !== undefined) moved["parentToolCallId"] = `${parent}/${above}`;
    else if (event.type === "tool_start") moved["parentToolCallId"] = parent;
    push([moved as unknown as StreamEvent]);
  }
  return answer;
}
