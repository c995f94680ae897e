// Owns the expectation of one tool call: what an author declares with `expectCall` or `expectFailure`, and its reading at the door.

import { EntailError } from "../core/error.ts";
import { type Bounds, FAILURE_KINDS, type FailureKind } from "../core/evidence.ts";
import { didYouMean } from "../core/nearest.ts";
import type { TypedTool } from "../core/tool.ts";
import { type Matcher, isCodec, plainLike, predicateOf } from "./matcher.ts";
import { decoded, nameOf, type Predicate } from "./predicate.ts";

/** A tool without a typed descriptor (one that a registry found, say). */
export interface BareTool {
  readonly name: string;
  readonly args?: Matcher<unknown> | undefined;
  readonly result?: Matcher<unknown> | undefined;
}

export interface CallOptions<Args = unknown, Result = unknown> {
  /** Of the decoded arguments. Without it they are not even decoded. */
  readonly args?: Matcher<Args> | undefined;
  /** Of the decoded result. */
  readonly result?: Matcher<Result> | undefined;
  /** Of the bounds beside the result; `undefined` where the call carries none. */
  readonly bounds?: Predicate<Bounds | undefined> | undefined;
  /** No call of this tool, in the whole trajectory, may have failed, been denied or stayed without a result. */
  readonly requireAllAttemptsSuccessful?: boolean | undefined;
  /** No call of this tool, in the whole trajectory, may have failed in one of these ways. */
  readonly forbidFailureKinds?: readonly FailureKind[] | undefined;
}

/** One call that must be among the calls observed: one that succeeded, or one that failed in the way of `failureKind`. */
export interface ToolExpectation {
  readonly name: string;
  readonly args?: Matcher<unknown> | undefined;
  readonly result?: Matcher<unknown> | undefined;
  readonly bounds?: Predicate<Bounds | undefined> | undefined;
  readonly failureKind?: FailureKind | undefined;
  readonly requireAllAttemptsSuccessful?: boolean | undefined;
  readonly forbidFailureKinds?: readonly FailureKind[] | undefined;
}

/** A `ToolExpectation` read at the door: its matchers are predicates, and nothing in it contradicts itself. */
export interface ExpectedCall {
  readonly name: string;
  readonly args: Predicate<unknown> | undefined;
  readonly result: Predicate<unknown> | undefined;
  readonly bounds: Predicate<Bounds | undefined> | undefined;
  readonly failureKind: FailureKind | undefined;
  readonly requireAllAttemptsSuccessful: boolean;
  readonly forbidFailureKinds: readonly FailureKind[];
  /** Any call of the tool that was issued will do, whatever came of it. */
  readonly issued: boolean;
}

const CALL_OPTIONS = ["args", "result", "bounds", "requireAllAttemptsSuccessful", "forbidFailureKinds"] as const;
const FAILURE_OPTIONS = ["args"] as const;
const EXPECTATION_MEMBERS = ["name", ...CALL_OPTIONS, "failureKind"] as const;

/** A call of `tool` that succeeded. Throws `expectation_invalid` for options that contradict each other or that Entail does not know. */
export function expectCall<Args = unknown, Result = unknown>(tool: TypedTool<Args, Result> | BareTool, options: CallOptions<Args, Result> = {}): ToolExpectation {
  const { name, args, result } = sides(tool, options, CALL_OPTIONS, "expectCall");
  return checkedExpectation({
    name,
    ...(args !== undefined && { args }),
    ...(result !== undefined && { result }),
    ...(options.bounds !== undefined && { bounds: options.bounds }),
    ...(options.requireAllAttemptsSuccessful !== undefined && { requireAllAttemptsSuccessful: options.requireAllAttemptsSuccessful }),
    ...(options.forbidFailureKinds !== undefined && { forbidFailureKinds: options.forbidFailureKinds }),
  });
}

/** A call of `tool` that failed in just this way. A failure has no result, so there is nothing to ask of one. */
export function expectFailure<Args = unknown>(tool: TypedTool<Args> | BareTool, kind: FailureKind, options: { readonly args?: Matcher<Args> | undefined } = {}): ToolExpectation {
  const { name, args, result } = sides(tool, options, FAILURE_OPTIONS, "expectFailure");
  if (kind === undefined) throw invalid(`expectFailure(${name}) needs the kind of the failure: ${FAILURE_KINDS.join(", ")}`);
  return checkedExpectation({ name, failureKind: kind, ...(args !== undefined && { args }), ...(result !== undefined && { result }) });
}

function checkedExpectation(expectation: ToolExpectation): ToolExpectation {
  readExpectation(expectation, `the expectation of ${JSON.stringify(expectation.name)}`);
  return Object.freeze(expectation);
}

/** The name of a tool and the predicates on its two sides; those of a typed tool see decoded values. */
export function sides(
  tool: unknown,
  options: unknown,
  known: readonly string[],
  maker: string,
): { readonly name: string; readonly args: Predicate<unknown> | undefined; readonly result: Predicate<unknown> | undefined } {
  const name = toolName(tool, maker);
  const { args, result } = tool as { readonly args?: unknown; readonly result?: unknown };
  const asked = members(options, known, `the options of ${maker}(${name})`) as { readonly args?: unknown; readonly result?: unknown };
  return { name, args: side(args, asked.args, `${name} args`), result: side(result, asked.result, `${name} result`) };
}

function side(own: unknown, asked: unknown, place: string): Predicate<unknown> | undefined {
  if (isCodec(own)) {
    if (asked === undefined) return undefined;
    const inner = predicateOf(asked, place);
    return plainLike(decoded(own, inner), inner);
  }
  if (own !== undefined && asked !== undefined) throw invalid(`${place} is asked for twice, by the tool and by the options; leave one out`);
  const matcher = own === undefined ? asked : own;
  return matcher === undefined ? undefined : predicateOf(matcher, place);
}

/** Reads an expectation, made by `expectCall` or written as a literal. Throws `expectation_invalid`, naming `place`. */
export function readExpectation(expectation: unknown, place: string): ExpectedCall {
  const given = members(expectation, EXPECTATION_MEMBERS, place) as { readonly [K in keyof ToolExpectation]: unknown };
  const name = toolName(expectation, place);
  if (isCodec(given.args) || isCodec(given.result)) throw invalid(`${place} is the typed tool ${JSON.stringify(name)}; write expectCall(tool)`);
  const { bounds, failureKind, requireAllAttemptsSuccessful = false, forbidFailureKinds = [] } = given;
  if (bounds !== undefined && typeof bounds !== "function") throw invalid(`${place}: bounds must be a predicate; it is ${nameOf(bounds)}`);
  if (typeof requireAllAttemptsSuccessful !== "boolean") throw invalid(`${place}: requireAllAttemptsSuccessful must be true or false; it is ${nameOf(requireAllAttemptsSuccessful)}`);
  if (!Array.isArray(forbidFailureKinds)) throw invalid(`${place}: forbidFailureKinds must be a list of failure kinds; it is ${nameOf(forbidFailureKinds)}`);
  const kind = failureKind === undefined ? undefined : readKind(failureKind, `${place}: failureKind`);
  const forbidden = forbidFailureKinds.map((item) => readKind(item, `${place}: forbidFailureKinds`));
  if (kind !== undefined) {
    if (given.result !== undefined) throw invalid(`${place} wants the failure ${kind} and asks for a result; a failed call has none`);
    if (bounds !== undefined) throw invalid(`${place} wants the failure ${kind} and asks for bounds; a failed call has none`);
    if (requireAllAttemptsSuccessful) throw invalid(`${place} wants the failure ${kind} and forbids any attempt to fail`);
    if (forbidden.includes(kind)) throw invalid(`${place} wants the failure ${kind} and forbids it`);
  }
  return {
    name,
    args: given.args === undefined ? undefined : predicateOf(given.args, `${place}: args`),
    result: given.result === undefined ? undefined : predicateOf(given.result, `${place}: result`),
    bounds: bounds as Predicate<Bounds | undefined> | undefined,
    failureKind: kind,
    requireAllAttemptsSuccessful,
    forbidFailureKinds: forbidden,
    issued: false,
  };
}

/** The name of a typed tool or of anything else that has one. */
export function toolName(tool: unknown, place: string): string {
  const name = typeof tool === "object" && tool !== null ? (tool as { readonly name?: unknown }).name : undefined;
  if (typeof name === "string" && name !== "") return name;
  throw invalid(`${place}: a tool is a typed tool or an object with its name; this is ${nameOf(tool)}`);
}

/** The object itself, once each of its members is known to be known. */
export function members(value: unknown, known: readonly string[], place: string): object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(`${place} must be an object; it is ${nameOf(value)}`);
  for (const member of Object.keys(value)) {
    if (!known.includes(member)) throw invalid(`${place} has a member ${JSON.stringify(member)} that Entail does not know${didYouMean(member, known)}`);
  }
  return value;
}

function readKind(value: unknown, place: string): FailureKind {
  if ((FAILURE_KINDS as readonly unknown[]).includes(value)) return value as FailureKind;
  const meant = typeof value === "string" ? didYouMean(value, FAILURE_KINDS) : "";
  throw invalid(`${place} is ${nameOf(value)}, which is no kind of failure${meant}`);
}

/** An error of a declaration that cannot be meant. */
export function invalid(message: string, cause?: unknown): EntailError {
  return new EntailError("expectation_invalid", message, cause === undefined ? {} : { cause });
}
