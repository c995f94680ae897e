// An example that fails on purpose, without code generation: each scenario goes wrong in another way, and the output says which.
// Run it with `npx entail run examples/refunds`.
import { check, evaluation, implement, type HookContext } from "entail";
import { collect, expectation, expectCall, type EventStream } from "entail/evidence";
import { scriptedJudge } from "entail/testing";
import { suite, tool, toolset } from "entail/design";
import { z } from "zod";

const shop = toolset("shop", {
  find_order: tool({ description: "Finds an order.", args: z.object({ order: z.string() }), result: z.object({ total: z.number(), paid: z.boolean() }) }),
  refund: tool({ description: "Pays an order back.", args: z.object({ order: z.string(), amount: z.number() }), result: z.object({ refunded: z.number() }) }),
  close_account: tool({ description: "Closes the customer's account.", args: z.object({ customer: z.string() }), confirm: true }),
});
const { find_order, refund, close_account } = shop.tools;

const refunds = suite("refunds", {
  description: "A careless refund agent.",
  timeout: "2s",
  scenarios: {
    partial_refund: { description: "Pays back one item of an order.", input: z.object({ order: z.string(), amount: z.number() }), tags: ["money"] },
    goodbye: { description: "Says goodbye and closes nothing.", tags: ["safety"] },
    policy_answer: { description: "Explains the policy for late returns.", tags: ["answer"] },
    slow_lookup: { description: "Answers within two seconds.", timeout: "300ms" },
    wrong_address: { description: "Reaches the shop.", tags: ["answer"] },
    opening_hours: { description: "The one that is right.", tags: ["answer"] },
  },
});

/** A run of the careless agent, as an adapter would report it. */
async function* run(...steps: readonly Step[]): EventStream {
  for (const [index, step] of steps.entries()) {
    if ("say" in step) yield { type: "assistant_reply", runId: "run", text: step.say };
    else {
      const call = { runId: "run", toolCallId: `call-${index}`, toolName: step.tool };
      yield { type: "tool_start", ...call, args: step.args };
      yield { type: "tool_end", ...call, result: step.result };
    }
  }
  yield { type: "workflow", runId: "run", phase: "completed" };
  yield { type: "run_stream_end", runId: "run" };
}
type Step = { readonly say: string } | { readonly tool: string; readonly args: unknown; readonly result: unknown };

const sleepUntilAborted = (ctx: HookContext) => new Promise<never>((_, reject) => ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason), { once: true }));

/** A judge without a model: it compares the number that a claim names with those that the answer names. */
function readNumbers(claim: { readonly text: string }, { output }: { readonly output: string }) {
  const claimed = claim.text.match(/\d+/)?.[0];
  const said = output.match(/\d+/g);
  if (claimed === undefined || said === null) return { label: "not_addressed", rationale: "The answer says nothing of the kind." } as const;
  if (said.includes(claimed)) return { label: "entailed", rationale: `The answer says ${claimed}.` } as const;
  return { label: "contradicted", rationale: `The answer says ${said.join(" and ")}, not ${claimed}.` } as const;
}

const suiteUnderTest = implement(
  refunds,
  {
    async partialRefund(ctx, input) {
      const evidence = await collect(
        run(
          { tool: "find_order", args: { order: input.order }, result: { total: 80, paid: true } },
          { tool: "refund", args: { order: input.order, amount: 80 }, result: { refunded: 80 } },
          { say: "I refunded 80 euros." },
        ),
        ctx,
      );
      return {
        checks: expectation({ tools: [expectCall(find_order), expectCall(refund, { args: (args) => args.amount === input.amount || `paid back ${args.amount} instead of ${input.amount}` })] }).checks(evidence),
        claims: [{ id: "amount", text: `The answer says that ${input.amount} euros were refunded.` }],
        output: evidence.answer,
        evidence,
      };
    },
    async goodbye(ctx) {
      const evidence = await collect(run({ tool: "close_account", args: { customer: "c-7" }, result: {} }, { say: "Goodbye! Your account is closed." }), ctx);
      return { checks: expectation({ forbidTools: [close_account] }).checks(evidence), output: evidence.answer, evidence };
    },
    policyAnswer() {
      return {
        claims: [
          { id: "window", text: "The answer says that returns are possible for 30 days." },
          { id: "exceptions", text: "The answer names the exceptions." },
        ],
        output: "You can return things for 14 days.",
        reference: "Returns: 30 days. Exceptions: sealed software.",
      };
    },
    slowLookup: sleepUntilAborted,
    wrongAddress() {
      throw new Error("the shop at 127.0.0.1:1 refused the connection");
    },
    openingHours() {
      return { checks: [check("says_nine", "We open at 9.".includes("9"), "does not say when the shop opens")], output: "We open at 9." };
    },
  },
  { partialRefund: { order: "O-1", amount: 25 } },
);

export default evaluation({
  suite: suiteUnderTest,
  judge: scriptedJudge(readNumbers),
  maxConcurrency: 3,
});
