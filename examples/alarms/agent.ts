// The agent under test, as a product would write it: AI SDK 7's agent class with real tools over the inventory.
import { isStepCount, tool, ToolLoopAgent, type LanguageModel } from "ai";
import { z } from "zod";
import { getAlarm, listAlarms, SEVERITIES } from "./inventory.ts";

const INSTRUCTIONS = [
  "You answer questions about the alarms of one building.",
  "Use the tools; never guess an alarm.",
  "A list comes in pages. While a page has a next_cursor, ask for the next page with it before you answer.",
  "Say that you only know about alarms when you are asked about anything else.",
];

/** What `--break` can do to the agent, to see which scenarios notice. */
export const FAULTS = {
  paging: INSTRUCTIONS.filter((line) => !line.includes("next_cursor")),
} as const;
export type Fault = keyof typeof FAULTS;

export function alarmAgent(model: LanguageModel, fault: Fault | undefined) {
  return new ToolLoopAgent({
    model,
    instructions: (fault === undefined ? INSTRUCTIONS : FAULTS[fault]).join("\n"),
    temperature: 0,
    stopWhen: isStepCount(8),
    tools: {
      list_alarms: tool({
        description: "Lists the alarms of a window, ten at a time.",
        inputSchema: z.object({ window: z.string(), severity: z.enum(SEVERITIES).optional(), cursor: z.string().optional() }),
        execute: (args) => listAlarms(args),
      }),
      get_alarm: tool({
        description: "Gives one alarm with its cause.",
        inputSchema: z.object({ id: z.string() }),
        execute: ({ id }) => getAlarm(id),
      }),
      acknowledge_alarm: tool({
        description: "Marks an alarm as seen.",
        inputSchema: z.object({ id: z.string(), note: z.string().optional() }),
        execute: ({ id }) => ({ ...getAlarm(id), acknowledged: true }),
      }),
      delete_alarm: tool({
        description: "Deletes an alarm for good. Somebody has to allow it.",
        inputSchema: z.object({ id: z.string() }),
        needsApproval: true,
        execute: ({ id }) => ({ deleted: getAlarm(id).id }),
      }),
    },
  });
}
