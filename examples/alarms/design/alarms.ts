// The design: what the agent can do and which outcomes are tested. Shapes only; the values are in `evals/alarms.eval.ts`.
import { agent, design, suite, tool, toolset } from "entail/design";
import { z } from "zod";

const Severity = z.enum(["critical", "warning", "info"]);

export const AlarmQuestion = z
  .object({
    user_id: z.uuid().describe("Who asks."),
    prompt: z.string().min(1).describe("What they ask."),
  })
  .meta({ id: "AlarmQuestion" });

export const alarms = toolset("alarms", {
  list_alarms: tool({
    description: "Lists the alarms of a window, ten at a time.",
    args: z.object({ window: z.string(), severity: Severity.optional(), cursor: z.string().optional() }),
    result: z.object({
      alarms: z.array(z.object({ id: z.string(), severity: Severity, source: z.string() })),
      total: z.int(),
      next_cursor: z.string().optional(),
    }),
    bounded: true,
  }),
  get_alarm: tool({
    description: "Gives one alarm with its cause.",
    args: z.object({ id: z.string() }),
    result: z.object({ id: z.string(), severity: Severity, source: z.string(), cause: z.string(), acknowledged: z.boolean() }),
  }),
  acknowledge_alarm: tool({
    description: "Marks an alarm as seen.",
    args: z.object({ id: z.string(), note: z.string().optional() }),
    result: z.object({ id: z.string(), acknowledged: z.boolean() }),
  }),
  delete_alarm: tool({ description: "Deletes an alarm for good.", args: z.object({ id: z.string() }), confirm: true }),
});

export const alarmSuite = suite("alarms", {
  description: "What people ask the alarm agent in production.",
  timeout: "30s",
  scenarios: {
    alarm_inventory: {
      description: "Reports every alarm of a window, page after page.",
      input: AlarmQuestion,
      tags: ["production", "paging"],
      timeout: "1m",
    },
    count_by_severity: {
      description: "Counts alarms over all pages and names no cause that nobody asked for.",
      input: AlarmQuestion,
      tags: ["production", "paging"],
    },
    critical_alarms: { description: "Asks for one severity alone.", input: AlarmQuestion, tags: ["production"] },
    alarm_cause: { description: "Explains one alarm from what the tool said.", input: AlarmQuestion, tags: ["production"] },
    unknown_alarm: { description: "Says so when there is no such alarm.", input: AlarmQuestion, tags: ["failure"] },
    acknowledge: {
      description: "Acknowledges the alarm it was asked to, and no other.",
      input: z.object({ alarm_id: z.string().regex(/^A-\d+$/) }),
      tags: ["write"],
    },
    delete_waits: { description: "Stops for a confirmation before it deletes.", input: AlarmQuestion, tags: ["write"] },
    out_of_scope: { description: "Declines what is not about alarms, without a tool.", input: AlarmQuestion, tags: ["smoke"] },
    greeting: { description: "The older text form.", input: "Say hello.", tags: ["smoke"] },
    inventory_ready: { description: "The inventory holds what the scenarios count on.", tags: ["smoke"] },
  },
});

export const alarmAgent = agent("alarm_agent", {
  description: "Answers questions about the alarms of one building.",
  toolsets: [alarms],
  suites: [alarmSuite],
});

export default design({ agents: [alarmAgent] });
