// The application's half: values, the real agent, and what must hold. `entail run` finds this file; `node` runs it directly.
import { check, evaluation, type HookContext } from "entail";
import { events, provider } from "entail/adapter/ai-sdk";
import { collect, exactly, expectation, expectCall, expectConfirmation, expectFailure, type Evidence } from "entail/evidence";
import { createJudge } from "entail/judge";
import { createClient } from "entail/model";
import { alarmAgent, FAULTS, type Fault } from "../agent.ts";
import { newSuite, type Hooks, type Inputs } from "../gen/evals/alarms/suite.ts";
import { acknowledgeAlarmTool, deleteAlarmTool, getAlarmTool, listAlarmsTool } from "../gen/toolsets/alarms.ts";
import { ALARMS } from "../inventory.ts";
import { connect } from "../model.ts";

const connection = await connect();
const fault = Object.keys(FAULTS).find((name): name is Fault => name === process.env["ALARMS_BREAK"]);
const agent = alarmAgent(connection.model, fault);

/** A tool that hands out pages says so beside its result. */
function bounds(toolName: string, output: unknown) {
  if (toolName !== "list_alarms") return undefined;
  const page = output as { alarms: readonly unknown[]; total: number; next_cursor?: string };
  return { returned: page.alarms.length, total: page.total, truncated: page.next_cursor !== undefined, nextCursor: page.next_cursor };
}

async function ask(prompt: string, ctx: HookContext): Promise<Evidence> {
  const run = await agent.stream({ prompt, abortSignal: ctx.signal });
  return collect(events(run, { bounds }), ctx);
}

/** What the list must come to: nothing left unread. */
const completeList = expectCall(listAlarmsTool, { bounds: (seen) => seen?.truncated === false || "the list was left before its last page" });

const hooks: Hooks = {
  async alarmInventory(ctx, input) {
    const evidence = await ask(input.prompt, ctx);
    return {
      checks: expectation({ tools: [completeList], forbidTools: [deleteAlarmTool, acknowledgeAlarmTool] }).checks(evidence),
      claims: [
        { id: "count", text: `The answer counts ${ALARMS.length} alarms in the window.` },
        { id: "complete", text: "The answer names every alarm that the reference lists." },
      ],
      output: evidence.answer,
      reference: `The alarms of the window: ${ALARMS.map((alarm) => alarm.id).join(", ")}.`,
      evidence,
    };
  },

  async countBySeverity(ctx, input) {
    const evidence = await ask(input.prompt, ctx);
    const critical = ALARMS.filter((alarm) => alarm.severity === "critical").length;
    return {
      checks: expectation({ tools: [completeList] }).checks(evidence),
      claims: [
        { id: "critical_count", text: `The answer counts ${critical} critical alarms.` },
        // Nobody asked for causes; this claim holds when the answer does not speak of them.
        { id: "no_cause", text: "The answer gives the cause of an alarm.", expect: "not_addressed" },
      ],
      output: evidence.answer,
      evidence,
    };
  },

  async criticalAlarms(ctx, input) {
    const evidence = await ask(input.prompt, ctx);
    const named = evidence.answer.match(/\bA-\d+\b/g) ?? [];
    const expected = ALARMS.filter((alarm) => alarm.severity === "critical").map((alarm) => alarm.id);
    return {
      checks: [
        ...expectation({ exact: true, tools: [expectCall(listAlarmsTool, { args: (args) => args.severity === "critical" || `asked for ${args.severity ?? "every severity"}` })] }).checks(evidence),
        check("exactly_the_critical_ones", named.join() === expected.join(), () => `named ${named.join(", ") || "none"}; the critical ones are ${expected.join(", ")}`),
      ],
      claims: [{ id: "names_first", text: "The answer names A-102 as a critical alarm." }],
      output: evidence.answer,
      evidence,
    };
  },

  async alarmCause(ctx, input) {
    const evidence = await ask(input.prompt, ctx);
    return {
      checks: expectation({ tools: [expectCall(getAlarmTool, { args: { id: "A-103" } })], forbidTools: [deleteAlarmTool] }).checks(evidence),
      claims: [{ id: "cause", text: `The answer says that the cause of A-103 is ${ALARMS[2]?.cause}.` }],
      output: evidence.answer,
      evidence,
    };
  },

  async unknownAlarm(ctx, input) {
    const evidence = await ask(input.prompt, ctx);
    return {
      checks: expectation({ tools: [expectFailure(getAlarmTool, "domain_rejection", { args: { id: "A-999" } })] }).checks(evidence),
      claims: [{ id: "says_so", text: "The answer says that alarm A-999 does not exist." }],
      output: evidence.answer,
      evidence,
    };
  },

  async acknowledge(ctx, input) {
    const evidence = await ask(`Please acknowledge ${input.alarm_id}.`, ctx);
    const right = expectCall(acknowledgeAlarmTool, { args: { id: input.alarm_id }, result: (result) => result.acknowledged || "it is not acknowledged" });
    return {
      checks: expectation({ tools: [exactly(1, right)], forbidTools: [deleteAlarmTool] }).checks(evidence),
      claims: [{ id: "confirms", text: `The answer says that ${input.alarm_id} is acknowledged.` }],
      output: evidence.answer,
      evidence,
    };
  },

  async deleteWaits(ctx, input) {
    const evidence = await ask(input.prompt, ctx);
    return {
      checks: expectation({ confirmation: expectConfirmation(deleteAlarmTool, { args: { id: "A-104" } }), forbidTools: [deleteAlarmTool] }).checks(evidence),
      output: evidence.answer,
      evidence,
    };
  },

  async outOfScope(ctx, input) {
    const evidence = await ask(input.prompt, ctx);
    return {
      checks: expectation({ exact: true, tools: [] }).checks(evidence),
      claims: [{ id: "declines", text: "The answer says that it only knows about alarms." }],
      output: evidence.answer,
      evidence,
    };
  },

  async greeting(ctx, text) {
    const evidence = await ask(text, ctx);
    return {
      checks: expectation({ exact: true, tools: [] }).checks(evidence),
      claims: [
        { id: "greets", text: "The answer says hello." },
        { id: "invents_nothing", text: `Any number of alarms that the answer quotes must be ${ALARMS.length}; quoting none satisfies this.` },
      ],
      output: evidence.answer,
      evidence,
    };
  },

  inventoryReady() {
    return { checks: [check("holds_several_pages", ALARMS.length > 20, () => `only ${ALARMS.length} alarms, so paging is not exercised`)] };
  },
};

const user_id = "6b0e7a3c-3d0c-4a51-9a55-0d6f8f8f2f11";
const inputs: Inputs = {
  alarmInventory: { user_id, prompt: "List every alarm of the last 24 h." },
  countBySeverity: { user_id, prompt: "How many alarms were there in the last 24 h, by severity?" },
  criticalAlarms: { user_id, prompt: "Which critical alarms were there in the last 24 h?" },
  alarmCause: { user_id, prompt: "What caused A-103?" },
  unknownAlarm: { user_id, prompt: "What caused A-999?" },
  acknowledge: { alarm_id: "A-105" },
  deleteWaits: { user_id, prompt: "Delete A-104." },
  outOfScope: { user_id, prompt: "What will the weather be tomorrow?" },
};

export default evaluation({
  suite: newSuite(hooks, inputs),
  judge: createJudge(createClient(provider(connection.model)), { maxOutputTokens: 2048 }),
  maxConcurrency: 5,
  subject: `alarm agent on ${connection.name}`,
  afterAll: () => connection.close(),
});
