// Owns the checks of an output that is data: a value at a place of it, and the form of the whole.

import { itemPath, memberPath } from "../core/json-path.ts";
import type { AnySchema, JsonSchema } from "../core/schema.ts";
import type { ScorerRun, ScorerRunOptions } from "../core/scorer.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { valueOf } from "../json/json-value.ts";
import { readJson } from "../json/read-json.ts";
import { canonicalJson, sameJson } from "../json/write-json.ts";
import { readJsonSchema, readSchema } from "../schema/read-schema.ts";
import { compileSchema } from "../schema/validator.ts";
import { shown } from "./fold.ts";
import { requireWhole, saidIn } from "./observed.ts";
import { type CheckOptions, type Finding, quickCheck, type QuickCheck } from "./quick-check.ts";
import { scorerInvalid } from "./scorer-error.ts";
import { nothing, NOTHING_SAID } from "./text-check.ts";

/** What should stand there: a value to be equal to, or a function that is true for it, and for nothing but `true`. Anything at all where absent. */
export type ExpectedValue = unknown;

const STEP = /(?:^|\.)([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/gy;

function stepsOf(path: string): readonly (string | number)[] {
  const plain = path.replace(/^\$\.?/, "");
  const steps: (string | number)[] = [];
  let end = 0;
  for (const match of plain.matchAll(STEP)) {
    end = match.index + match[0].length;
    steps.push(match[2] !== undefined ? Number(match[2]) : match[3] !== undefined ? (JSON.parse(`"${match[3]}"`) as string) : (match[1] as string));
  }
  if (end !== plain.length || path === "") throw scorerInvalid(`checks.jsonPath: ${JSON.stringify(path)} is no path; write items[2].name, ["a key"] or $ for the whole`);
  return steps;
}

type Data = { readonly value: unknown } | { readonly finding: Finding };

/** The output as data: an object as it is, of messages the last text that the assistant said. */
function dataIn(run: ScorerRun, options: ScorerRunOptions): Data {
  const said = saidIn(run, "final", options);
  requireWhole({ unread: said.unread, what: "the output" }, run.evidence);
  const text = said.texts.at(-1)?.text;
  if (text === undefined) return { finding: nothing(`expected JSON, and ${NOTHING_SAID}`) };
  try {
    return { value: valueOf(readJson(text.trim())) };
  } catch (thrown) {
    return { finding: { score: 0, reason: `expected JSON, found ${shown(text)} (${thrown instanceof Error ? thrown.message.split("\n")[0] : "unreadable"})` } };
  }
}

/** Passes where a value stands at the path of the output (`items[2].name`), and is the one expected. The output is JSON: an object, or the assistant's last text. */
export function jsonPath(path: string, ...rest: readonly [expected?: ExpectedValue, options?: CheckOptions]): QuickCheck {
  const steps = stepsOf(path);
  const wantsValue = rest.length > 0 && rest[0] !== undefined;
  const [expected, options = {}] = rest;
  const text = !wantsValue ? "a value" : typeof expected === "function" ? `what the function ${expected.name} takes` : canonicalJson(expected);
  return quickCheck(
    {
      base: "check-json-path",
      detail: wantsValue ? `${path}=${text}` : path,
      description: `${text} stands at ${path} of the output.`,
      find(run, runOptions) {
        const data = dataIn(run, runOptions);
        if ("finding" in data) return data.finding;
        const at = valueAt(data.value, steps);
        if ("missing" in at) return { score: 0, reason: `expected ${shown(text)} at ${path}, and ${at.missing} is missing`, evidence: { path, found: undefined } };
        const evidence = { path, found: at.value };
        const answer: unknown = !wantsValue ? true : typeof expected === "function" ? (expected as (value: unknown) => unknown)(at.value) : sameJson(expected, at.value);
        if (answer === true) return { score: 1, reason: `${path} is ${shown(canonicalJson(at.value))}`, evidence };
        return { score: 0, reason: `expected ${shown(text)} at ${path}, found ${shown(canonicalJson(at.value))} (${at.value === null ? "null" : Array.isArray(at.value) ? "list" : typeof at.value})${typeof answer === "string" ? `: ${answer}` : ""}`, evidence };
      },
    },
    options,
  );
}

function valueAt(root: unknown, steps: readonly (string | number)[]): { readonly value: unknown } | { readonly missing: string } {
  let value = root;
  let path = "";
  for (const step of steps) {
    path = typeof step === "number" ? itemPath(path, step) : memberPath(path, step);
    if (typeof value !== "object" || value === null || (typeof step === "number" && !Array.isArray(value)) || !Object.hasOwn(value, step)) return { missing: path };
    value = (value as Record<string | number, unknown>)[step];
  }
  return { value };
}

/** Passes where the output has the form of the schema: a Standard Schema with a JSON Schema side, or JSON Schema. */
export function matchesSchema(schema: AnySchema | JsonSchema, options: CheckOptions & { readonly name?: string | undefined } = {}): QuickCheck {
  const standard = (schema as { readonly "~standard"?: unknown } | null)?.["~standard"];
  const reading = standard === undefined ? readJsonSchema(schema as JsonSchema, "tool") : readSchema(schema, "tool");
  const [fault] = reading.faults;
  if (fault !== undefined) throw scorerInvalid(`checks.matchesSchema: the schema cannot be used: ${fault.message}`);
  const unknown = unknownType(reading.schema);
  if (unknown !== undefined) throw scorerInvalid(`checks.matchesSchema: ${JSON.stringify(unknown)} is no type of JSON Schema`);
  const validator = compileSchema(reading.schema);
  const name = options.name ?? reading.name;
  return quickCheck(
    {
      base: "check-matches-schema",
      detail: name ?? canonicalJson(wireSafe(reading.schema)),
      description: `The output has the form of ${name ?? "the schema"}.`,
      find(run, runOptions) {
        const data = dataIn(run, runOptions);
        if ("finding" in data) return data.finding;
        const faults = validator.faults(data.value);
        if (faults.length === 0) return { score: 1, reason: `the output has the form of ${name ?? "the schema"}`, evidence: { output: data.value, faults } };
        const lines = faults.slice(0, 5).map(({ path, message }) => `${path === "" ? "the output" : path} ${message}`);
        return { score: 0, reason: `${lines.join("; ")}${faults.length > 5 ? `; and ${faults.length - 5} more` : ""}`, evidence: { output: data.value, faults } };
      },
    },
    options,
  );
}

const TYPES: ReadonlySet<unknown> = new Set(["null", "boolean", "object", "array", "number", "string", "integer"]);

function unknownType(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return undefined;
  if (!Array.isArray(schema) && Object.hasOwn(schema, "type")) {
    const { type } = schema as { readonly type: unknown };
    if (typeof type === "string" && !TYPES.has(type)) return type;
  }
  for (const [word, inner] of Object.entries(schema)) {
    if (word === "enum" || word === "const" || word === "default" || word === "examples") continue;
    const found = unknownType(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
