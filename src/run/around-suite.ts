// Owns the set-up and the tear-down around a whole run.

import { formatDuration } from "../core/duration.ts";
import type { ReportError } from "../core/report.ts";
import { describeError } from "./describe-error.ts";
import { createLimit } from "./limit.ts";
import type { SuiteContext } from "./plan.ts";
import type { RunContext } from "./run-context.ts";

const SET_UP_MS = 10 * 60_000;
const TEAR_DOWN_MS = 60_000;

/** Calls `beforeAll`, for 10 minutes at most, and gives what broke it. A cancelled run ends it; that is for the caller to see. */
export async function setUpSuite(run: RunContext): Promise<ReportError | undefined> {
  const { beforeAll } = run.plan.lifecycle ?? {};
  if (beforeAll === undefined) return undefined;
  return around(run, "beforeAll", SET_UP_MS, true, beforeAll);
}

/** Calls `afterAll`, for a minute of its own at most, whether the run was cancelled or not, and gives what broke it. */
export async function tearDownSuite(run: RunContext): Promise<ReportError | undefined> {
  const { afterAll } = run.plan.lifecycle ?? {};
  if (afterAll === undefined) return undefined;
  return around(run, "afterAll", TEAR_DOWN_MS, false, afterAll);
}

async function around(run: RunContext, name: "beforeAll" | "afterAll", ms: number, cancellable: boolean, call: (ctx: SuiteContext) => void | Promise<void>): Promise<ReportError | undefined> {
  const { clock, alarm, cancellation, onRunning, plan } = run;
  const [stage, code] = name === "beforeAll" ? (["setup", "setup_failed"] as const) : (["teardown", "teardown_failed"] as const);
  const message = `${name} did not end within ${formatDuration(ms)}`;
  const limit = createLimit({ clock, alarm, ms, message, onRunning });
  if (cancellable) cancellation.join(limit);
  const settled = await limit.within(() => call({ signal: limit.signal, suite: plan.suite.id }));
  const late = limit.cut()?.kind === "deadline";
  limit.close();
  cancellation.leave(limit);
  if (settled.kind === "threw" && !late) return describeError(settled.thrown, stage, code, `${name}: `);
  return late ? { code, stage, message } : undefined;
}
