// Owns whether one observed call satisfies one expected call, and if not, why not.

import type { ToolCall } from "../core/evidence.ts";
import type { ExpectedCall } from "./call-expectation.ts";
import { cut } from "./difference.ts";
import { roundedNumber } from "./exact-number.ts";
import { plainOf } from "./matcher.ts";
import { notJson } from "./payload.ts";
import { type Answer, ask, type Predicate } from "./predicate.ts";

export interface Satisfaction {
  /** Empty where the call satisfies the expectation. */
  readonly problems: readonly string[];
  /**
   * Where there are problems: whether one of them shows that the call is another one. False where the question could not be answered (no
   * result yet, arguments that cannot be read, a predicate that threw): then the call may be meant, and nobody may conclude that it is not.
   */
  readonly decided: boolean;
}

const SATISFIED: Satisfaction = { problems: [], decided: true };

/** Looks at arguments, completion, failure, bounds and result, in this order. The tool's name is the caller's to compare. */
export function satisfaction(expected: ExpectedCall, call: ToolCall): Satisfaction {
  if (expected.issued) return SATISFIED;
  const { name } = expected;
  const problems: string[] = [];
  let decided = false;
  const problem = (text: string, shows: boolean): void => {
    problems.push(text);
    decided ||= shows;
  };
  const answered = (side: string, answer: Answer): void => {
    if (!answer.passed) problem(`${name} ${side}: ${answer.reason}`, answer.decided);
  };
  const verdict = (): Satisfaction => (problems.length === 0 ? SATISFIED : { problems, decided });

  if (expected.args !== undefined) answered("arguments", askArguments(expected.args, call));
  if (call.approval === "denied") {
    problem(`${name} was denied, so it did not run`, true);
    return verdict();
  }
  if (!call.completed) {
    problem(`${name} has no tool result${call.approval === "pending" ? ": it waits to be allowed" : ""}`, false);
    return verdict();
  }
  const { failure } = call;
  if (expected.failureKind !== undefined) {
    if (failure === undefined) problem(`${name}: got success, want failure kind ${expected.failureKind}`, true);
    else if (failure.kind !== expected.failureKind) {
      problem(`${name}: got failure kind ${failure.kind} (${failure.error.message}), want failure kind ${expected.failureKind}`, failure.kind !== "unknown");
    }
    return verdict();
  }
  if (failure !== undefined) {
    problem(`${name} failed with ${failure.kind}: ${failure.error.message}`, true);
    return verdict();
  }
  if (expected.bounds !== undefined) answered("bounds", ask(expected.bounds, call.bounds));
  if (expected.result !== undefined) answered("result", askResult(expected.result, call));
  return verdict();
}

/** Puts a question to arguments. Those that are not JSON answer none: a text that broke off is no text argument. */
export function askArguments(predicate: Predicate<unknown>, { args, argsJson }: { readonly args: unknown; readonly argsJson: string }): Answer {
  const broken = notJson(args, argsJson);
  if (broken !== undefined) return { passed: false, reason: `the canonical payload could not be decoded: ${broken}; it is ${cut(argsJson)}`, decided: false };
  return askExactly(predicate, args, argsJson);
}

function askResult(predicate: Predicate<unknown>, { result, resultJson, resultOmitted }: ToolCall): Answer {
  if (resultOmitted !== undefined && resultJson === undefined) {
    const { reason, bytes } = resultOmitted;
    const why = [...(reason === undefined ? [] : [reason]), ...(bytes === undefined ? [] : [`${bytes} bytes`])].join(", ");
    return { passed: false, reason: `the source left it out${why === "" ? "" : ` (${why})`}, so nothing can be said of it`, decided: false };
  }
  return askExactly(predicate, result, notJson(result, resultJson) === undefined ? resultJson : undefined);
}

/** `json` is canonical; undefined where there is none. */
function askExactly(predicate: Predicate<unknown>, value: unknown, json: string | undefined): Answer {
  const answer = ask(predicate, value);
  const plain = plainOf(predicate);
  if (!answer.passed || plain === undefined || json === undefined) return answer;
  const rounded = roundedNumber(json, plain.value);
  return rounded === undefined ? answer : { passed: false, reason: rounded, decided: true };
}
