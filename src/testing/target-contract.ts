// Owns the contract of the target port: named checks by which an adapter proves that its target tells the truth about its agent's runs.

import { EntailError, messageOf } from "../core/error.ts";
import type { StreamEvent } from "../core/event.ts";
import { type Bounds, type Evidence, type FailureKind, OBSERVABLES, type Observable } from "../core/evidence.ts";
import type { Target, TargetOptions } from "../core/target.ts";
import { collect } from "../evidence/collect.ts";
import { expectation } from "../evidence/expectation.ts";
import { canonicalJson, sameJson } from "../json/write-json.ts";

/** A target whose agent does one certain thing, and the input that makes it do so. */
export interface TargetSituation<Input> {
  readonly target: Target<Input>;
  readonly input: Input;
  /** Called once the check is over, whatever came of it. */
  readonly close?: (() => void | PromiseLike<void>) | undefined;
}

type Situation<Input, More = unknown> = () => (TargetSituation<Input> & More) | Promise<TargetSituation<Input> & More>;

/**
 * The situations that an adapter's agent can be brought into. What `observes` declares has to be shown: `args` and `results` need `calls`,
 * `failureKinds` needs `fails`, `approvals` `asks`, `parents` `nests`, `bounds` `bounded`.
 */
export interface TargetHarness<Input> {
  /** The run says `answer`, calls no tool and completes. */
  readonly answers: Situation<Input, { readonly answer: string }>;
  /** The agent waits (on its model, in a tool) until the run is aborted. */
  readonly waits: Situation<Input>;
  /** The run says `said`, and then what it comes from breaks off. Leave it out where nothing can: a function that gives its answer whole. */
  readonly breaksOff?: Situation<Input, { readonly said: string }> | undefined;
  /** The run calls one tool, which gives `result`, and completes. */
  readonly calls?: Situation<Input, { readonly toolName: string; readonly args: unknown; readonly result: unknown }> | undefined;
  /** The run calls one tool, which fails, and completes. */
  readonly fails?: Situation<Input, { readonly toolName: string; readonly kind: FailureKind }> | undefined;
  /** The run stops at a call that somebody has to allow. */
  readonly asks?: Situation<Input, { readonly toolName: string }> | undefined;
  /** As `asks`, of a target that goes on: once the call is decided the run completes. `made` tells how often the tool has run since the situation was opened. */
  readonly decides?: Situation<Input, { readonly toolName: string; readonly made: () => number }> | undefined;
  /** The tool `parent` runs an agent that calls the tool `child`. */
  readonly nests?: Situation<Input, { readonly parent: string; readonly child: string }> | undefined;
  /** The run calls one tool whose result comes with bounds. */
  readonly bounded?: Situation<Input, { readonly toolName: string; readonly bounds: Bounds }> | undefined;
  /** A second turn, `next`, whose answer shows whether the first is remembered. */
  readonly remembers?: Situation<Input, { readonly next: Input; readonly shows: (answer: string) => boolean }> | undefined;
}

/** One promise of the contract. `run` rejects with `contract_broken`, whose sentence says what was promised and what came instead. */
export interface ContractCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface TargetContractOptions {
  /** How long a run may take to end, and to stop once it is aborted. 5,000 when absent. */
  readonly patienceMs?: number | undefined;
}

function broken(message: string, cause?: unknown): EntailError {
  return new EntailError("contract_broken", message, { cause });
}

function require(holds: boolean, message: string): void {
  if (!holds) throw broken(message);
}

/** The checks, for any test runner: `for (const { name, run } of targetContract(harness)) test(name, run)`. */
export function targetContract<Input>(harness: TargetHarness<Input>, { patienceMs = 5000 }: TargetContractOptions = {}): readonly ContractCheck[] {
  const within = <Value>(work: Promise<Value>, what: string): Promise<Value> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(broken(`${what} took longer than ${patienceMs} ms`)), patienceMs);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  };

  const evidenceOf = async ({ target, input }: TargetSituation<Input>, options: Partial<TargetOptions> = {}): Promise<Evidence> => {
    try {
      return await within(collect(target.send(input, { signal: new AbortController().signal, ...options })), "the run");
    } catch (thrown) {
      throw thrown instanceof EntailError && thrown.code === "contract_broken" ? thrown : broken(`the run should have given evidence, and it was refused: ${messageOf(thrown)}`, thrown);
    }
  };

  const inSituation = async <More extends TargetSituation<Input>>(open: () => More | Promise<More>, prove: (situation: More) => Promise<void>): Promise<void> => {
    const situation = await open();
    try {
      await prove(situation);
    } finally {
      await situation.close?.();
    }
  };

  const checks: ContractCheck[] = [];
  const check = <More extends TargetSituation<Input>>(name: string, open: (() => More | Promise<More>) | undefined, prove: (situation: More) => Promise<void>): void => {
    if (open !== undefined) checks.push({ name, run: () => inSituation(open, prove) });
  };

  check("it declares what it observes, whole, and whether it keeps a thread", harness.answers, async ({ target }) => {
    for (const observable of OBSERVABLES) require(typeof target.observes[observable] === "boolean", `observes.${observable} must be true or false; it is ${String(target.observes[observable])}`);
    require(typeof target.memory === "boolean", `memory must be true or false; it is ${String(target.memory)}`);
  });
  check("what it declares to observe is shown by a situation", harness.answers, async ({ target }) => {
    const needed: readonly (readonly [Observable, keyof TargetHarness<Input>])[] = [["args", "calls"], ["results", "calls"], ["failureKinds", "fails"], ["approvals", "asks"], ["parents", "nests"], ["bounds", "bounded"]];
    for (const [observable, situation] of needed) require(!target.observes[observable] || harness[situation] !== undefined, `it declares to observe ${observable}, so the harness needs the situation ${situation}`);
  });
  check("a run that answers gives the answer, a completed phase and its end", harness.answers, async (situation) => {
    const evidence = await evidenceOf(situation);
    require(evidence.answer === situation.answer, `the answer should be ${JSON.stringify(situation.answer)}; it is ${JSON.stringify(evidence.answer)}`);
    require(evidence.terminalPhase === "completed" && evidence.ended, `the run should have completed and ended; its phase is ${String(evidence.terminalPhase)}`);
    require(evidence.runId !== "", "the run needs an id");
    require(evidence.unknownEvents === undefined, `it gives events that Entail does not know: ${(evidence.unknownEvents ?? []).map(({ type }) => type).join(", ")}`);
  });
  check("a run observes all that the target declares", harness.answers, async (situation) => {
    const { observes } = await evidenceOf(situation);
    const lost = OBSERVABLES.filter((observable) => situation.target.observes[observable] && !observes[observable]);
    require(lost.length === 0, `the target declares to observe ${lost.join(", ")}, and its run does not`);
  });
  check("that no tool was called is decided only where calls are observed", harness.answers, async (situation) => {
    const evidence = await evidenceOf(situation);
    const sees = evidence.observes.args || evidence.observes.results;
    let outcome: "passed" | "failed" | "not_observable" | "evidence_incomplete" = "passed";
    try {
      if (expectation({ forbidTools: ["contract_no_such_tool"], exact: true }).checks(evidence).some(({ passed }) => !passed)) outcome = "failed";
    } catch (thrown) {
      if (!(thrown instanceof EntailError && (thrown.code === "not_observable" || thrown.code === "evidence_incomplete"))) throw thrown;
      outcome = thrown.code;
    }
    require(outcome === (sees ? "passed" : "not_observable"), `a run without calls should be ${sees ? "passed" : "not_observable"} by an expectation that forbids them; it is ${outcome}`);
  });
  check("two runs at once have ids of their own and do not mix", harness.answers, async (situation) => {
    const [first, second] = await Promise.all([evidenceOf(situation), evidenceOf(situation)]);
    require(first.runId !== second.runId, `both runs have the id ${JSON.stringify(first.runId)}`);
    require(first.answer === situation.answer && second.answer === situation.answer, "one run's words are in the other's answer");
  });
  check("the thread is the session, and the input is left as it was", harness.answers, async (situation) => {
    const before = canonicalJson(situation.input);
    const evidence = await evidenceOf(situation, { threadId: "contract-thread", resourceId: "contract-resource", turn: 0, history: [] });
    require(evidence.sessionId === "contract-thread" || evidence.sessionId === "", `the session should be the turn's thread; it is ${JSON.stringify(evidence.sessionId)}`);
    require(canonicalJson(situation.input) === before, "the run changed its input");
  });
  check("an aborted run stops, and does not complete", harness.waits, async ({ target, input }) => {
    const controller = new AbortController();
    const events: StreamEvent[] = [];
    const run = (async () => {
      for await (const event of target.send(input, { signal: controller.signal })) events.push(event);
    })().catch(() => undefined);
    setTimeout(() => controller.abort(new Error("the contract aborts")), Math.min(50, patienceMs / 10));
    await within(run, "an aborted run");
    const phases = events.flatMap((event) => (event.type === "workflow" ? [event.phase] : []));
    require(!phases.includes("completed"), "an aborted run completed");
  });
  check("a reader may leave before the end", harness.answers, async ({ target, input }) => {
    const iterator = target.send(input, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    await within(iterator.next(), "the first event");
    if (iterator.return !== undefined) await within(Promise.resolve(iterator.return()), "leaving");
  });
  check("a source that breaks off leaves the run without an end, and what was said is kept", harness.breaksOff, async ({ target, input, said }) => {
    const outcome: unknown = await within(collect(target.send(input, { signal: new AbortController().signal })).catch((thrown: unknown) => thrown), "the run");
    require(outcome instanceof EntailError && outcome.code === "stream_incomplete", `collect should reject with stream_incomplete; ${outcome instanceof EntailError ? `it rejects with ${outcome.code}` : "it gives evidence as of a whole run"}`);
    const { evidence } = outcome as EntailError;
    require(evidence?.answer === said && !evidence.ended, `what was said should be kept, ${JSON.stringify(said)}; it is ${JSON.stringify(evidence?.answer)}`);
  });
  check("a call is seen once, with its arguments and its result", harness.calls, async (situation) => {
    const { toolName, args, result } = situation;
    const evidence = await evidenceOf(situation);
    const { observes, toolCalls } = evidence;
    require(toolCalls.length === 1 && toolCalls[0]?.toolName === toolName, `one call of ${toolName} should be seen; seen were ${toolCalls.map((call) => call.toolName).join(", ") || "none"}`);
    if (observes.args) require(sameJson(toolCalls[0]?.args, args), `its arguments should be ${canonicalJson(args)}; they are ${String(toolCalls[0]?.argsJson)}`);
    if (!observes.results) return;
    require(toolCalls[0]?.completed === true && toolCalls[0].failure === undefined, "the call should have succeeded");
    require(sameJson(toolCalls[0]?.result, result), `its result should be ${canonicalJson(result)}; it is ${String(toolCalls[0]?.resultJson)}`);
  });
  check("a call that fails has failed, in its way", harness.fails, async (situation) => {
    const { toolCalls, observes } = await evidenceOf(situation);
    const call = toolCalls.find(({ toolName }) => toolName === situation.toolName);
    require(call?.failure !== undefined, `the call of ${situation.toolName} should have failed; ${call === undefined ? "it was not seen" : call.completed ? "it is seen to have succeeded" : "its end was not seen"}`);
    if (observes.failureKinds) require(call?.failure?.kind === situation.kind, `its failure should be of the kind ${situation.kind}; it is ${String(call?.failure?.kind)}`);
  });
  check("a run that asks is suspended at the confirmation, and the call was not made", harness.asks, async (situation) => {
    const { confirmation, terminalPhase, toolCalls } = await evidenceOf(situation);
    require(terminalPhase === "suspended", `the run should be suspended; its phase is ${String(terminalPhase)}`);
    require(confirmation?.toolName === situation.toolName && confirmation.state === "pending", `a pending confirmation of ${situation.toolName} should be seen`);
    require(!toolCalls.some((call) => call.toolCallId === confirmation?.toolCallId && call.completed), "the call was made before anybody allowed it");
  });
  for (const approved of [true, false]) {
    check(approved ? "a call that is approved is made once, in a run that goes on to its end" : "a call that is refused is not made, and the run goes on without it", harness.decides, async (situation) => {
      const { target, toolName, made } = situation;
      const turn: TargetOptions = { signal: new AbortController().signal, threadId: "contract-decides", turn: 0, history: [] };
      const first = await evidenceOf(situation, turn);
      const { confirmation } = first;
      require(first.terminalPhase === "suspended" && confirmation?.toolName === toolName && made() === 0, `the run should be suspended at a call of ${toolName} that was not made; its phase is ${String(first.terminalPhase)}`);
      require(target.resume !== undefined, "the target has no resume()");
      if (confirmation === undefined || target.resume === undefined) return;
      const events: StreamEvent[] = [];
      const reading = (async () => {
        for await (const event of target.resume?.({ confirmation, approved, evidence: first }, turn) ?? []) events.push(event);
      })();
      await within(reading.catch((thrown: unknown) => {
        throw broken(`the run should have gone on, and it was refused: ${messageOf(thrown)}`, thrown);
      }), "the run that goes on");
      const evidence = await collect(events, {}, { rootRunId: events[0]?.runId, continues: first }).catch((thrown: unknown) => {
        throw broken(`the run that goes on should have given evidence, and it was refused: ${messageOf(thrown)}`, thrown);
      });
      const calls = evidence.toolCalls.filter((call) => call.toolName === toolName);
      const [call] = calls;
      const state = approved ? "approved" : "denied";
      require(evidence.terminalPhase === "completed", `the run that goes on should complete; its phase is ${String(evidence.terminalPhase)}`);
      require(calls.length === 1 && call?.toolCallId === confirmation.toolCallId && call.approval === state, `one call of ${toolName} should be seen, ${state}, the one that was asked for; seen were ${calls.map((one) => `${one.toolCallId} (${one.approval ?? "nobody was asked"})`).join(", ") || "none"}`);
      require(made() === (approved ? 1 : 0), `the tool should have run ${approved ? "once" : "not at all"}; it ran ${made()} times`);
      if (approved && evidence.observes.results) require(call?.completed === true && call.failure === undefined, "the approved call should have succeeded");
      const again = (async () => {
        for await (const event of target.resume?.({ confirmation, approved: true, evidence: first }, turn) ?? []) void event;
      })().catch(() => undefined);
      await within(again, "a second decision");
      require(made() === (approved ? 1 : 0), "what was decided was decided a second time");
    });
  }
  check("a nested agent's call stands below the call that ran it", harness.nests, async (situation) => {
    const { toolCalls } = await evidenceOf(situation);
    const parent = toolCalls.find(({ toolName }) => toolName === situation.parent);
    const child = toolCalls.find(({ toolName }) => toolName === situation.child);
    require(parent !== undefined && child?.parentToolCallId === parent.toolCallId, `the call of ${situation.child} should stand below that of ${situation.parent}`);
  });
  check("bounds are those of the tool", harness.bounded, async (situation) => {
    const { toolCalls } = await evidenceOf(situation);
    const call = toolCalls.find(({ toolName }) => toolName === situation.toolName);
    require(sameJson(call?.bounds, situation.bounds), `the bounds of ${situation.toolName} should be ${canonicalJson(situation.bounds)}`);
  });
  check("a second turn knows the first, by the target's own thread or by the history it is given; another thread does not", harness.remembers, async (situation) => {
    const { target, input, next, shows } = situation;
    const first = await evidenceOf(situation, { threadId: "contract-a", resourceId: "contract", turn: 0, history: [] });
    const said = [{ role: "user" as const, content: typeof input === "string" ? input : canonicalJson(input) }, { role: "assistant" as const, content: first.answer }];
    const second = await evidenceOf({ target, input: next }, { threadId: "contract-a", resourceId: "contract", turn: 1, history: target.memory ? [] : said });
    require(shows(second.answer), `the second turn should know the first; it answers ${JSON.stringify(second.answer)}`);
    const other = await evidenceOf({ target, input: next }, { threadId: "contract-b", resourceId: "contract-other", turn: 0, history: [] });
    require(!shows(other.answer), `another thread knows the first turn; it answers ${JSON.stringify(other.answer)}`);
  });
  return checks;
}
