// Owns the way in for schemas: a schema library's schema -> the JSON Schema that Entail keeps, and what keeps it from being kept.

import { messageOf } from "../core/error.ts";
import type { JsonSchema } from "../core/schema.ts";
import { arktypeOptions, arktypeSchema, lookAtArktype } from "./arktype.ts";
import { checkKept } from "./check-kept.ts";
import { closeAll } from "./close.ts";
import { firstDifference } from "./compare-sides.ts";
import { copySchema } from "./copy-schema.ts";
import { findCycles } from "./cycle.ts";
import { assemble, gatherDefinitions, nameIn, simplify, titleOf, type Definitions } from "./definition.ts";
import { addImpliedTypes } from "./implied-type.ts";
import { memberOf, type Subschema } from "./keyword.ts";
import { mergeAll } from "./merge.ts";
import { notExpressible } from "./not-expressible.ts";
import { placed } from "./place.ts";
import { plainData } from "./plain-data.ts";
import { startNotes, type Notes, type ReadingFault, type ReadingWarning, type SchemaSide } from "./reading-notes.ts";
import { valibotOptions } from "./valibot.ts";
import { zodOptions } from "./zod.ts";

export type { ReadingFault, ReadingWarning, SchemaSide };

export interface SchemaReading {
  /** What is kept; `{}` where there are faults. */
  readonly schema: JsonSchema;
  readonly faults: readonly ReadingFault[];
  readonly warnings: readonly ReadingWarning[];
  /** The author's own name for the whole schema. */
  readonly name?: string;
  /** Members of `$defs` that no author named, in the order of their first use; whoever prints types names them. */
  readonly unnamed: readonly string[];
}

/**
 * Reads a Standard Schema by its JSON Schema side (draft 2020-12). An input is closed unless it is open by its own words; the arguments and the
 * result of a tool stay as they are. Never throws: what a schema cannot be kept for is in `faults`, each with its place and its mend.
 */
export function readSchema(schema: unknown, side: SchemaSide): SchemaReading {
  const notes = startNotes();
  const library = libraryOf(schema, notes);
  if (library === undefined) return reading({}, [], notes);
  const { vendor } = library;
  const zod = vendor === "zod" ? zodOptions(side, notes) : undefined;
  const options = { target: "draft-2020-12", libraryOptions: zod !== undefined ? zod.options : vendor === "arktype" ? arktypeOptions() : vendor === "valibot" ? valibotOptions() : undefined };

  const whole = vendor === "arktype" ? attempt(() => arktypeSchema(schema)) : {};
  const input = whole.value === undefined && whole.failure === undefined ? attempt(() => library.input(options)) : whole;
  if (vendor === "arktype") attempt(() => lookAtArktype(schema, input.value, side, notes));
  if (input.failure === undefined && zod?.looked() === false) {
    notes.fault(notExpressible(side), [], "this version of zod does not show its refinements and transforms, which would be lost; update zod");
  }
  if (notes.faults.length > 0) return reading({}, [], notes);
  if (input.failure !== undefined) {
    notes.fault(notExpressible(side), [], `its library cannot express it as JSON Schema (${input.failure}); declare plain data without transforms and refinements`);
    return reading({}, [], notes);
  }
  const machineMade = machineMadeBy(vendor);
  const taken = definitionsOf(input.value, machineMade, notes);
  // What arktype writes itself shows every morph; there is no other side to it.
  if (whole.value !== undefined) return finish(taken, side, notes);
  const output = attempt(() => library.output({ ...options, libraryOptions: vendor === "zod" ? undefined : options.libraryOptions }));
  if (output.failure !== undefined) {
    notes.fault(notExpressible(side), [], `the schema changes its value, and its library cannot express what it gives (${output.failure}); declare plain data`);
    return reading({}, [], notes);
  }
  const given = definitionsOf(output.value, machineMade, startNotes());
  if (taken !== undefined && given !== undefined && notes.faults.length === 0) {
    const difference = firstDifference(assemble(taken).schema, assemble(given).schema);
    if (difference?.what === "value") notes.fault(notExpressible(side), difference.steps, "the schema changes its value (a transform, pipe, coercion or codec); declare the plain value");
    if (difference?.what === "default") notes.fault(notExpressible(side), difference.steps, "the default is another one each time; give a value");
  }
  return finish(taken, side, notes);
}

/** Reads a JSON Schema as it is, by the same rules. */
export function readJsonSchema(schema: JsonSchema, side: SchemaSide): SchemaReading {
  const notes = startNotes();
  return finish(
    definitionsOf(schema, () => false, notes),
    side,
    notes,
  );
}

interface Library {
  readonly vendor: string;
  input(options: object): unknown;
  output(options: object): unknown;
}

function libraryOf(schema: unknown, notes: Notes): Library | undefined {
  const mend = "give a Standard Schema with a JSON Schema side: zod 4.2 or later, arktype, or valibot wrapped by toStandardJsonSchema of @valibot/to-json-schema";
  const found = attempt((): Library | string => {
    if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return `${schema === null ? "null" : `a ${typeof schema}`} is no schema`;
    const standard = (schema as { readonly "~standard"?: unknown })["~standard"];
    if (typeof standard !== "object" || standard === null) return "it is no Standard Schema";
    const { vendor, jsonSchema } = standard as { readonly vendor?: unknown; readonly jsonSchema?: unknown };
    const { input, output } = (jsonSchema ?? {}) as { readonly input?: unknown; readonly output?: unknown };
    if (typeof input !== "function" || typeof output !== "function") return `the schema of ${String(vendor)} has no JSON Schema side`;
    return { vendor: String(vendor), input: (options) => input.call(jsonSchema, options) as unknown, output: (options) => output.call(jsonSchema, options) as unknown };
  });
  if (typeof found.value === "object") return found.value;
  notes.fault("input_not_a_schema", [], `${found.value ?? `it cannot be read (${found.failure ?? ""})`}; ${mend}`);
  return undefined;
}

function attempt<Value>(act: () => Value): { readonly value?: Value; readonly failure?: string } {
  try {
    return { value: act() };
  } catch (thrown) {
    return { failure: messageOf(thrown).split("\n", 1)[0] ?? "" };
  }
}

/** Names of definitions that a library counts out: they say nothing, and change with unrelated code. */
function machineMadeBy(vendor: string): (name: string) => boolean {
  const pattern = vendor === "arktype" ? /^[a-zA-Z]+\d+$/ : /^(?:__schema)?\d+$/;
  return (name) => pattern.test(name);
}

/** The schema copied and its definitions gathered; `undefined` where it is too broken for that. */
function definitionsOf(schema: unknown, isMachineMade: (name: string) => boolean, notes: Notes): Definitions | undefined {
  const plain = plainData(schema);
  for (const fault of plain.faults) notes.fault("schema_invalid", [], placed(fault.path, fault.message));
  if (notes.faults.length > 0) return undefined;
  const copy = copySchema(plain.value, [], notes);
  if (typeof copy === "boolean") return { root: copy, defs: new Map(), machineMade: new Set() };
  const gathered = gatherDefinitions(copy, isMachineMade, notes);
  if (notes.faults.length > 0) return undefined;
  findCycles(gathered, notes);
  return notes.faults.length > 0 ? undefined : simplify(gathered);
}

function finish(definitions: Definitions | undefined, side: SchemaSide, notes: Notes): SchemaReading {
  if (definitions === undefined || notes.faults.length > 0) return reading({}, [], notes);
  const typed = mapDefinitions(mergeAll(definitions), addImpliedTypes);
  const { schema, unnamed } = assemble(side === "input" ? closeAll(typed, notes) : typed);
  if (notes.faults.length === 0) checkKept(schema, side, notes);
  return reading(notes.faults.length === 0 ? schema : {}, unnamed, notes);
}

function mapDefinitions(definitions: Definitions, change: (schema: Subschema) => Subschema): Definitions {
  return { ...definitions, root: change(definitions.root), defs: new Map([...definitions.defs].map(([name, body]) => [name, change(body)])) };
}

function reading(schema: JsonSchema, unnamed: readonly string[], notes: Notes): SchemaReading {
  const { faults, warnings } = notes;
  const own = nameIn(schema);
  const body = own === undefined ? undefined : memberOf(schema["$defs"], own);
  const name = own !== undefined && !unnamed.includes(own) ? own : (titleOf(schema) ?? titleOf(body as Subschema | undefined));
  return { schema, faults, warnings, unnamed, ...(name === undefined ? {} : { name }) };
}
