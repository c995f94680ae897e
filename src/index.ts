// The door "entail": run and judge a suite, and the words that everything else is made of. Free of Node's own modules.

export { check, type Check, type FailedCheck, type PassedCheck } from "./core/check.ts";
export type { Artifact } from "./core/artifact.ts";
export type { Claim } from "./core/claim.ts";
export { systemClock, type Clock } from "./core/clock.ts";
export type { HookContext } from "./core/context.ts";
export { EntailError, ERROR_CODES, isEntailError, STAGES, type ErrorCode, type Fault, type Stage } from "./core/error.ts";
export { LABELS, type Label } from "./core/label.ts";
export { validateJudgments, type Judgment } from "./core/judgment.ts";
export type { Judge, JudgeAttempt, JudgeIdentity, JudgeRequest } from "./core/judge.ts";
export { OUTCOMES, VERDICTS, type Outcome, type Verdict } from "./core/outcome.ts";
export type * from "./core/report.ts";
export type { Reporter, RunStarted } from "./core/reporter.ts";
export type { Result } from "./core/result.ts";
export type { Scope } from "./core/scope.ts";
export type { HookScore, ScoreRecord } from "./core/score.ts";
export type { Scenario, Suite, TrialRequirement } from "./core/suite.ts";
export type { Usage } from "./core/usage.ts";
export { decodeReport } from "./report/decode-report.ts";
export { encodeReport, type EncodeOptions } from "./report/encode-report.ts";
export { todo } from "./core/todo.ts";
export { implement, type Hooks, type HooksOf, type Inputs, type InputsOf } from "./implement.ts";
export { validateResult } from "./core/validate-result.ts";
export { assertPassed } from "./run/assert-passed.ts";
export { createRunner, type Runner, type RunnerOptions, type RunOptions } from "./run/create-runner.ts";
export type { AttemptContext, Lifecycle, SuiteContext, TeardownContext } from "./run/plan.ts";
export { defineConfig, evaluation, type Config, type ConfigOrFunction, type Evaluation, type EvaluationOptions } from "./evaluation.ts";
