// The cases of generated code and their kinds: names, text that breaks out of where it stands, schemas as types.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agent, checkDesign, design, suite, tool, toolset } from "entail/design";
import type { AnySchema } from "entail/design";
import { codec, type TypedTool } from "entail/generated";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileTexts } from "../../test/strict-compile.ts";
import { readJsonSchema } from "../schema/read-schema.ts";
import { docComment } from "./comment-text.ts";
import { generate } from "./generate.ts";
import { camelCase, uniqueIdentifiers } from "./identifier-text.ts";
import { literalText, quoted } from "./literal-text.ts";
import { toolsModel } from "./tool-model.ts";
import { toolsetFileText } from "./toolset-file.ts";

function plain(schema: object): AnySchema {
  const side = (): object => schema;
  return { "~standard": { version: 1, vendor: "plain", validate: (value: unknown) => ({ value }), jsonSchema: { input: side, output: side } } };
}

/** The file of a toolset whose tools have these names, and take these schemas. */
function toolsetText(tools: Readonly<Record<string, object | undefined>>, description = "d"): string {
  const declared = Object.fromEntries(Object.entries(tools).map(([name, schema]) => [name, tool({ description, args: schema && plain(schema) })]));
  const made = design({ agents: [agent("a", { toolsets: [toolset("t", declared)] })] });
  return generate(checkDesign(made)).files.find((file) => file.path === "gen/toolsets/t.ts")?.text ?? "";
}

async function load<Module>(text: string): Promise<Module> {
  const folder = mkdtempSync(join(import.meta.dirname, "../../test/fixture/codegen/loaded-"));
  try {
    writeFileSync(join(folder, "module.ts"), text);
    return (await import(join(folder, "module.ts"))) as Module;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const texts = new Map<string, string>();

describe("kind codegen-identifiers", () => {
  const colliding = ["get-user", "get_user", "getUser", "get user", "GetUser"];
  const properties = ["a-b", "a_b", "aB"];
  const schemaWith = (names: readonly string[]): object => ({ type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])), required: names });

  test("case 248: names that become one identifier keep apart, in any order, and are called by their own names", async () => {
    const text = toolsetText(Object.fromEntries([...colliding, "getUser2"].map((name) => [name, schemaWith(properties)])));
    texts.set("case-248.ts", text);
    expect(toolsetText(Object.fromEntries([...colliding, "getUser2"].toReversed().map((name) => [name, schemaWith(properties)])))).toBe(text);
    const module = await load<Record<string, TypedTool>>(text);
    expect(Object.keys(module)).toHaveLength(6);
    expect(module["getUser2Tool"]?.name).toBe("getUser2");
    expect(
      Object.values(module)
        .map((each) => each.name)
        .sort(),
    ).toEqual([...colliding, "getUser2"].sort());
    for (const each of Object.values(module)) expect(each.args.decode({ "a-b": "1", a_b: "2", aB: "3" })).toEqual({ "a-b": "1", a_b: "2", aB: "3" });
    // Further names that want the same identifier move none of those that are there.
    const called = (tools: Record<string, TypedTool>): Record<string, string> => Object.fromEntries(Object.entries(tools).map(([identifier, each]) => [each.name, identifier]));
    const more = ["get.user", "Get user", "get/user"];
    expect(called(await load(toolsetText(Object.fromEntries([...colliding, ...more, "getUser2"].map((name) => [name, undefined])))))).toMatchObject(called(module));
  });

  test("case 249: reserved words and members of every object are names like any other", async () => {
    const reserved = ["class", "delete", "default", "constructor", "__proto__", "await", "arguments", "eval", "undefined", "Object", "Promise", "then", "toString"];
    const members = ["constructor", "__proto__", "class", "type"];
    const text = toolsetText(Object.fromEntries(reserved.map((name) => [name, schemaWith(members)])));
    texts.set("case-249.ts", text);
    const module = await load<Record<string, TypedTool>>(text);
    expect(await Promise.resolve(module)).toBe(module);
    expect(Object.values(module).map((each) => each.name)).toEqual(expect.arrayContaining(reserved));
    const value: unknown = JSON.parse('{"constructor":"1","__proto__":"2","class":"3","type":"4"}');
    const decoded: unknown = module["protoTool"]?.args.decode(value);
    expect(Object.keys(decoded as object).sort()).toEqual([...members].sort());
    expect(() => module["protoTool"]?.args.decode({ constructor: "1", class: "3", type: "4" })).toThrow("__proto__ is missing");
    expect(() => module["protoTool"]?.args.decode({ ...(value as object), ["__proto__"]: 2 })).toThrow("__proto__ must be a string");
  });

  test("any names at all give as many descriptors, the same in any order, and compile", () => {
    const name = fc.oneof(
      fc.string({ unit: "binary", minLength: 1, maxLength: 8 }).map((text) => text.toWellFormed()),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
      fc.constantFrom(...colliding, "get_user_", "__proto__", "then", "tool", "Tool", "1", "1_", "_", "$", "-", "\u00e9", "e\u0301", "codec", "TypedTool", "typed", "unnamed", "Record"),
    );
    let at = 0;
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), (names) => {
        const text = toolsetText(Object.fromEntries(names.map((each) => [each, schemaWith(names.slice(0, 3))])));
        expect(text.match(/^export const /gm)).toHaveLength(names.length);
        expect(new Set(text.match(/^export const [^:]+/gm)).size).toBe(names.length);
        expect(toolsetText(Object.fromEntries(names.toReversed().map((each) => [each, schemaWith(names.slice(0, 3))])))).toBe(text);
        for (const each of names) expect(text).toContain(`name: ${quoted(each)},`);
        if (at < 40) texts.set(`names-${at++}.ts`, text);
      }),
      { numRuns: 120 },
    );
  });

  test("a suffix hits no name that somebody has", () => {
    const taken = [...uniqueIdentifiers(new Map([["a", "x"], ["b", "x"]])).values()];
    const wanted = new Map([["a", "x"], ["b", "x"], ...taken.map((name): [string, string] => [`own ${name}`, name])]);
    const given = uniqueIdentifiers(wanted);
    expect(new Set(given.values()).size).toBe(4);
    expect(taken.map((name) => given.get(`own ${name}`))).toEqual(taken);
  });

  test.each([
    ["list_alarms", "listAlarms"],
    ["list-alarms", "listAlarms"],
    ["ListAlarms", "listAlarms"],
    ["docs.find", "docsFind"],
    ["3d", "_3d"],
    ["größe", "größe"],
    ["\u{1F680}", ""],
    ["", ""],
  ])("%j becomes %j", (name, identifier) => {
    expect(camelCase(name)).toBe(identifier);
  });
});

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc
    .array(fc.constantFrom("*/", "/*", "//", "*", "/", "\\", "@ts-expect-error", "@ts-ignore", "@ts-nocheck", "@internal", "\n", "\r", "\r\n", "\u2028", "\u2029", "\0", "`", "${", '"', "'", " ", "x", "\\u002a/", "globalThis.owned = 1;", "</script>", "\ud800"), { maxLength: 10 })
    .map((parts) => parts.join("")),
);

describe("kind codegen-injection", () => {
  const description = "Does x */ ; globalThis.owned = 1; /*   process.exit(1) \\u002a/ @ts-ignore";

  test("case 252: a description that ends the comment stays in it, and can still be read", async () => {
    const text = toolsetText({ x: { type: "object", title: "*/", description, properties: { a: { type: "string", description } }, required: ["a"] } }, description);
    texts.set("case-252.ts", text);
    await load(text);
    expect(globalThis).not.toHaveProperty("owned");
    expect(text).toContain("/** Does x *\\/ ; globalThis.owned = 1; /*   process.exit(1) \\u002a/ @ts-ignore */");
  });

  test("any text stays within its comment and speaks to nobody", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const comment = docComment(text, "  ");
        if (comment === "") return;
        expect(comment.startsWith("  /**")).toBe(true);
        expect(comment.indexOf("*/")).toBe(comment.length - 3);
        expect(comment).not.toMatch(/[\r\u2028\u2029]/);
        for (const line of comment.split("\n")) expect(line).not.toMatch(/^[\s/*]*@/);
      }),
      { numRuns: 1000 },
    );
  });

  test("any text stays within its literal, and is the text that was given", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const literal = quoted(text);
        expect(literal).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(JSON.parse(literal)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("any data is written as what it is", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (json) => {
        const value: unknown = JSON.parse(json.replaceAll("-0", "0"));
        expect(evaluated(literalText(value))).toEqual(value);
      }),
    );
    const proto: unknown = JSON.parse('{"a":{"__proto__":{"b":1}}}');
    expect(evaluated(literalText(proto))).toEqual(proto);
    expect(Object.keys((evaluated(literalText(proto)) as { a: object }).a)).toEqual(["__proto__"]);
  });

  test("designs with any texts in them compile, and running them does nothing else", async () => {
    let at = 0;
    fc.assert(
      fc.property(hostile, hostile, hostile, (a, b, c) => {
        const input = plain({ type: "object", title: a, description: b, properties: { [c.toWellFormed()]: { type: "string", description: a, enum: [a, b] } } });
        const words = { description: `d${b}`, input };
        const made = design({ agents: [agent("m", { toolsets: [toolset("t", { [`n${a}`.toWellFormed()]: tool({ description: c, args: input, tags: [`t${b}`] }) })], suites: [suite("s", { description: `d${a}`, timeout: "1m", scenarios: { x: words, y: { ...words, input: `t${c}` } } })] })] });
        for (const file of generate(checkDesign(made)).files) texts.set(`injected-${at}/${file.path}`, file.text);
        at++;
      }),
      { numRuns: 25 },
    );
    for (const [path, text] of texts) if (/^injected-[0-5]\//.test(path)) await load(text);
    expect(globalThis).not.toHaveProperty("owned");
  });
});

/** The value of an expression, read as a program would read it. */
function evaluated(text: string): unknown {
  // oxlint-disable-next-line typescript/no-implied-eval, no-new-func -- the text is the subject of the test
  return (new Function(`return (${text});`) as () => unknown)();
}

/** The declared type of a JSON Schema, as a tool's arguments, with the validator that stands beside it. */
function typed(schema: object): { readonly text: string; readonly accepts: (value: unknown) => boolean } {
  const reading = readJsonSchema(schema as Record<string, unknown>, "tool");
  expect(reading.faults).toEqual([]);
  const model = toolsModel([{ name: "x", toolset: "t", description: "", bounded: false, confirm: false, tags: [], args: reading }]);
  const { decode } = codec(reading.schema);
  return {
    text: toolsetFileText(model),
    accepts(value) {
      try {
        decode(value);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** The type alone, on one line. */
function typeOf(schema: object): string {
  const { text } = typed(schema);
  const named = /^export type XArgs = ([\s\S]*?);\n\n/m.exec(text)?.[1];
  return (named ?? /TypedTool<([\s\S]*), unknown, "x">/.exec(text)?.[1] ?? "").replaceAll(/;?\s*\n\s*/g, "; ").replaceAll(/\{; /g, "{ ").replaceAll(/; \}/g, " }");
}

/** A file that compiles only where the type takes what the validator takes, and refuses what it refuses. */
function agreement(schema: object, samples: readonly unknown[]): string {
  const { text, accepts } = typed(schema);
  const lines = samples.map((sample, at) => `${accepts(sample) ? "" : "// @ts-expect-error the validator refuses it\n"}export const sample${at}: Args = ${flat(sample)};\n`);
  return `${text}\ntype Args = ReturnType<typeof xTool.args.decode>;\n${lines.join("")}`;
}

function flat(value: unknown): string {
  return literalText(value).replaceAll(/\n\s*/g, " ");
}

describe("kind codegen-schema", () => {
  const scalars = ["a", "x", "in-progress", 1, 2, 3, null, true, false, { a: 1 }];

  test.each([
    [{ enum: ["a", 1, null, true] }, '"a" | 1 | null | true'],
    [{ enum: ["in-progress", "in_progress", "In Progress"] }, '"in-progress" | "in_progress" | "In Progress"'],
    [{ enum: [1, 2] }, "1 | 2"],
    [{ const: "x" }, '"x"'],
    [{ enum: [{ a: 1 }] }, "{ a: 1 }"],
    [{ type: "string", enum: ["x", "x"] }, '"x"'],
  ])("case 254: the type of %j is %s, and the validator agrees with it", (schema, type) => {
    expect(typeOf(schema)).toBe(type);
    texts.set(`case-254-${type.length}-${texts.size}.ts`, agreement(schema, scalars));
  });

  test("case 254: an enum of nothing is refused, or takes nothing", () => {
    const { faults } = readJsonSchema({ enum: [] }, "input");
    expect(faults.length > 0 ? faults.map((fault) => fault.code) : typeOf({ enum: [] })).toEqual(faults.length > 0 ? ["schema_invalid"] : "never");
  });

  test("case 255: enum values with blanks, digits and nothing in them stay what they are", () => {
    const schema = { type: "object", required: ["dist"], properties: { dist: { enum: ["10 km", "1e3", "", " "] } } };
    expect(typeOf(schema)).toBe('{ dist: "10 km" | "1e3" | "" | " " }');
    const { accepts } = typed(schema);
    expect([{ dist: "10 km" }, { dist: "" }].map(accepts)).toEqual([true, true]);
    expect([{ dist: "10km" }, { dist: 1000 }].map(accepts)).toEqual([false, false]);
    texts.set("case-255.ts", agreement(schema, [{ dist: "10 km" }, { dist: "" }, { dist: "10km" }, { dist: 1000 }, {}]));
  });

  test("case 256: a schema that refers to itself is a type that does, and one that says nothing is refused", () => {
    const node = { type: "object", properties: { v: { type: "string" }, kids: { type: "array", items: { $ref: "#/$defs/node" } } }, required: ["v"] };
    const schema = { $ref: "#/$defs/node", $defs: { node } };
    const { text, accepts } = typed(schema);
    expect(text).toContain("export type Node = {\n  v: string;\n  kids?: Node[] | undefined;\n};");
    const good = { v: "x", kids: [{ v: "y", kids: [] }] };
    const bad = { v: "x", kids: [{ kids: [] }] };
    expect([good, bad].map(accepts)).toEqual([true, false]);
    texts.set("case-256.ts", agreement(schema, [good, bad, {}, { v: 1 }]));
    for (const empty of [{ $ref: "#" }, { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }]) {
      expect(readJsonSchema(empty, "tool").faults.map((fault) => fault.code)).toEqual(["schema_invalid"]);
    }
  });

  test("case 258: what one branch of allOf requires of another is required", () => {
    const schema = {
      allOf: [{ type: "object", properties: { a: { type: "string" }, b: { type: "number" } } }, { required: ["a"] }, { properties: { c: { type: "boolean" } }, required: ["c", "zzz"] }],
    };
    expect(typeOf(schema)).toBe("{ a: string; b?: number | undefined; c: boolean; zzz: unknown }");
    const good = { a: "x", c: true, zzz: 1 };
    const bad = [{ b: 1, c: true, zzz: 1 }, { a: "x", c: true }, { a: 1, c: true, zzz: 1 }];
    expect([good, ...bad].map(typed(schema).accepts)).toEqual([true, false, false, false]);
    texts.set("case-258.ts", agreement(schema, [good, ...bad]));
  });

  test("case 260: a nullable enum has null in its type, and an unknown format decides nothing", () => {
    const schema = {
      type: "object",
      required: ["s", "d"],
      properties: {
        s: { type: ["string", "null"], enum: ["x", null] },
        d: { type: "string", format: "date-time" },
        u: { anyOf: [{ type: "integer" }, { type: "null" }] },
        n: { type: "string", nullable: true },
        f: { type: "string", format: "no-such-format" },
      },
    };
    expect(typeOf(schema)).toMatch(/^\{ s: "x" \| null; d: string; u\?: number \| null \| undefined; n\?: string (\| null )?\| undefined; f\?: string \| undefined \}$/);
    const good = { s: null, d: "2024-05-01T10:00:00Z", u: null, f: "x" };
    const bad = [{ s: "y", d: "2024-05-01T10:00:00Z" }, { d: "2024-05-01T10:00:00Z" }];
    expect([good, ...bad].map(typed(schema).accepts)).toEqual([true, false, false]);
    texts.set("case-260.ts", agreement(schema, [good, ...bad]));
  });

  // Schemas whose every rule a type can express, and values for them, right and wrong.
  const scalar = fc.oneof(
    fc.constantFrom({ type: "string" }, { type: "number" }, { type: "boolean" }, { type: "null" }, { type: ["string", "null"] }, { const: "x" }, { const: 3 }),
    fc.uniqueArray(fc.constantFrom<unknown>("a", "b c", "", 1, -1.5, null, true), { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
  );
  // Not `constructor`: the compiler takes every object to have one.
  const key = fc.constantFrom("a", "b-c", "__proto__", "class", "1", "");
  const { schema: anySchema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      scalar,
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((items) => ({ type: "array", prefixItems: items, items: false, minItems: items.length })),
      fc.record({ type: fc.constant("object"), additionalProperties: tie("schema") }),
      fc.uniqueArray(fc.tuple(key, tie("schema"), fc.boolean()), { minLength: 1, maxLength: 3, selector: ([name]) => name }).map((members) => ({
        type: "object",
        properties: Object.fromEntries(members.map(([name, schema]) => [name, schema])),
        required: members.filter(([, , required]) => required).map(([name]) => name),
        additionalProperties: false,
      })),
    ),
  }));

  /** Values near the schema: fitting ones, and ones with something changed. */
  function samples(schema: object): fc.Arbitrary<unknown> {
    const wrong = fc.constantFrom<unknown>("x", "zz", 3, 7, null, true, false, [], ["x"], {}, { a: 1 });
    return fc.oneof({ weight: 4, arbitrary: fitting(schema, wrong) }, { weight: 1, arbitrary: wrong });
  }

  interface Schema {
    readonly type?: string | readonly string[];
    readonly items?: object;
    readonly prefixItems?: readonly object[];
    readonly properties?: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: object;
  }

  function fitting(schema: object, wrong: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
    const { type, items = {}, prefixItems, properties, required = [], additionalProperties = {} } = schema as Schema;
    const inner = (part: object): fc.Arbitrary<unknown> => fc.oneof({ weight: 6, arbitrary: fitting(part, wrong) }, { weight: 1, arbitrary: wrong });
    if ("const" in schema) return fc.constant(schema.const);
    if ("enum" in schema) return fc.constantFrom(...(schema.enum as readonly unknown[]));
    if (prefixItems !== undefined) return fc.tuple(...prefixItems.map(inner));
    if (type === "array") return fc.array(inner(items), { maxLength: 2 });
    if (properties !== undefined) {
      const entries = Object.entries(properties).map(([name, part]) => fc.tuple(fc.constant(name), inner(part), required.includes(name) ? fc.constant(true) : fc.boolean()));
      return fc.tuple(...entries).map((members) => Object.fromEntries(members.filter(([, , there]) => there).map(([name, value]) => [name, value])));
    }
    if (type === "object") return fc.dictionary(key, inner(additionalProperties), { maxKeys: 2 });
    const scalars: Record<string, fc.Arbitrary<unknown>> = { string: fc.constantFrom("x", ""), number: fc.constantFrom(3, -0.5), boolean: fc.boolean(), null: fc.constant(null) };
    return fc.oneof(...[type].flat().map((name) => scalars[String(name)] ?? fc.constant(null)));
  }

  test("the type takes what the validator takes and refuses what it refuses", () => {
    let at = 0;
    let refused = 0;
    let taken = 0;
    fc.assert(
      fc.property(
        anySchema.chain((schema) => fc.tuple(fc.constant(schema), fc.array(samples(schema), { minLength: 10, maxLength: 10 }))),
        ([schema, values]) => {
          texts.set(`schema-${at++}.ts`, agreement(schema, values));
          const { accepts } = typed(schema);
          const fitting = values.filter(accepts).length;
          taken += fitting;
          refused += values.length - fitting;
        },
      ),
      { numRuns: 60 },
    );
    expect(taken).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });
});

describe("all of it together", () => {
  test("compiles under every strict flag", () => {
    expect(texts.size).toBeGreaterThan(100);
    expect(compileTexts(texts)).toEqual([]);
  });
});
