// Owns one conversation in the words of every dialect: a neutral one is generated, and each dialect renders it as its framework would write it.
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import * as fc from "fast-check";

export type Ending =
  | { readonly state: "succeeded"; readonly result: unknown }
  | { readonly state: "failed"; readonly error: string }
  | { readonly state: "denied" }
  | { readonly state: "pending" }
  | { readonly state: "called" };

export interface NeutralCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly ending: Ending;
}

/** What one answer of the model holds: words, then calls. */
export interface Step {
  readonly texts: readonly string[];
  readonly calls: readonly NeutralCall[];
}

export interface Turn {
  readonly user: string;
  readonly steps: readonly Step[];
}

export interface Dialect {
  readonly name: string;
  /** The endings that it can tell from a success or from a call that is still open. */
  readonly tells: readonly ("failed" | "denied" | "pending")[];
  /** Its results are texts: what is neither an object nor a list comes back as the text it was sent as. */
  readonly textResults?: true;
  /** Its framework's own serialiser drops members of the name `__proto__`. */
  readonly dropsProto?: true;
  render(turn: Turn): readonly unknown[];
}

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const json = fc.jsonValue({ stringUnit: "grapheme", maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
/** Mastra tells a call that broke its schema by an `error` in the result, so no success has one. */
const result = json.filter((value) => (typeof value === "string" ? !/^\s*[[{]/.test(value) : typeof value !== "object" || value === null || !Object.hasOwn(value, "error")));
const ending: fc.Arbitrary<Ending> = fc.oneof(
  { weight: 4, arbitrary: result.map((value): Ending => ({ state: "succeeded", result: value })) },
  words.map((error): Ending => ({ state: "failed", error: `failed: ${error}` })),
  fc.constantFrom<Ending>({ state: "denied" }, { state: "pending" }, { state: "called" }),
);
const args = fc.dictionary(fc.oneof(words, fc.constantFrom("__proto__", "constructor", "toString")), json, { maxKeys: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
const call = fc.record({ name: fc.constantFrom("get_weather", "delete-alarm", "b", "__proto__", "result"), args, ending });
const step = fc.record({ texts: fc.array(words, { maxLength: 2 }), calls: fc.array(call, { maxLength: 3 }) });

/** Ids are used again from turn to turn, as some servers do. */
export const turns: fc.Arbitrary<readonly Turn[]> = fc.array(fc.record({ user: words, steps: fc.array(step, { maxLength: 3 }) }), { minLength: 1, maxLength: 3 }).map((all) =>
  all.map(({ user, steps }) => {
    let count = 0;
    const numbered = steps.map(({ texts, calls }) => ({ texts, calls: calls.map((one) => ({ ...one, id: `call_${++count}` })) }));
    return { user, steps: numbered.filter(({ texts, calls }) => texts.length + calls.length > 0) };
  }));

export const resultText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** The state of a call that is one part, in the AI SDK's words from v5 on. */
function uiState({ ending: end }: NeutralCall): object {
  switch (end.state) {
    case "succeeded":
      return { state: "output-available", output: end.result };
    case "failed":
      return { state: "output-error", errorText: end.error };
    case "denied":
      return { state: "output-denied", approval: { id: "ap", approved: false, reason: "no" } };
    case "pending":
      return { state: "approval-requested", approval: { id: "ap" } };
    case "called":
      return { state: "input-available" };
    default:
      return end satisfies never;
  }
}

const invocationState: Readonly<Record<Ending["state"], string>> = { succeeded: "result", failed: "output-error", denied: "output-denied", pending: "approval-requested", called: "call" };

function invocation({ id, name, args: given, ending: end }: NeutralCall): object {
  return {
    type: "tool-invocation",
    toolInvocation: {
      state: invocationState[end.state], toolCallId: id, toolName: name, args: given,
      ...(end.state === "succeeded" ? { result: end.result } : {}),
      ...(end.state === "failed" ? { errorText: end.error } : {}),
      ...(end.state === "pending" ? { approval: { id: "ap" } } : {}),
    },
  };
}

const text = (said: string): object => ({ type: "text", text: said });
const oneMessage = (turn: Turn, part: (one: NeutralCall) => object): object[] => turn.steps.flatMap(({ texts, calls }) => [{ type: "step-start" }, ...texts.map(text), ...calls.map(part)]);
/** Each step a message of the model, and one for each end that `ended` gives. */
const steps = (turn: Turn, said: (step: Step) => unknown, ended: (calls: readonly NeutralCall[]) => readonly unknown[]): unknown[] => turn.steps.flatMap((each) => [said(each), ...ended(each.calls)]);
const hasEnded = ({ ending: end }: NeutralCall): boolean => end.state === "succeeded" || end.state === "failed";
const endedText = ({ ending: end }: NeutralCall): string => (end.state === "succeeded" ? resultText(end.result) : end.state === "failed" ? end.error : "");

function modelEnds(one: NeutralCall): object[] {
  const of = { toolCallId: one.id, toolName: one.name };
  switch (one.ending.state) {
    case "succeeded":
      return [{ type: "tool-result", ...of, output: typeof one.ending.result === "string" ? { type: "text", value: one.ending.result } : { type: "json", value: one.ending.result } }];
    case "failed":
      return [{ type: "tool-result", ...of, output: { type: "error-text", value: one.ending.error } }];
    case "denied":
      return [{ type: "tool-approval-response", approvalId: `ap-${one.id}`, approved: false, reason: "no" }, { type: "tool-result", ...of, output: { type: "execution-denied", reason: "no" } }];
    case "pending":
    case "called":
      return [];
    default:
      return one.ending satisfies never;
  }
}

const unlessEmpty = (content: readonly object[], message: (content: readonly object[]) => object): readonly object[] => (content.length === 0 ? [] : [message(content)]);

function langChain({ user, steps: all }: Turn): BaseMessage[] {
  return [
    new HumanMessage(user),
    ...all.flatMap(({ texts, calls }, at) => [
      // The text stands beside the calls, or among blocks; what OpenAI's model wrote stands below its own name.
      new AIMessage({
        content: texts.length === 1 && at % 2 === 0 ? (texts[0] ?? "") : texts.map((said) => ({ type: "text", text: said })),
        tool_calls: calls.map(({ id, name, args: given }) => ({ id, name, args: given, type: "tool_call" as const })),
        additional_kwargs: at % 2 === 0 ? {} : { tool_calls: calls.map(({ id, name, args: given }) => ({ id, type: "function" as const, function: { name, arguments: JSON.stringify(given) } })) },
      }),
      ...calls.filter(hasEnded).map((one) => new ToolMessage({ content: endedText(one), tool_call_id: one.id, name: one.name, status: one.ending.state === "failed" ? "error" : "success" })),
    ]),
  ];
}

export const DIALECTS: readonly Dialect[] = [
  {
    name: "Mastra DB messages",
    tells: ["failed", "denied", "pending"],
    render: (turn) => [
      { id: "u", role: "user", createdAt: new Date(0), content: { format: 2, parts: [text(turn.user)], content: turn.user } },
      { id: "a", role: "assistant", createdAt: new Date(0), content: { format: 2, parts: oneMessage(turn, invocation), content: turn.steps.flatMap(({ texts }) => texts).at(-1) ?? "" } },
    ],
  },
  {
    name: "AI SDK UI messages",
    tells: ["failed", "denied", "pending"],
    render: (turn) => [
      { id: "u", role: "user", parts: [text(turn.user)] },
      { id: "a", role: "assistant", parts: oneMessage(turn, (one) => ({ ...(one.id.endsWith("1") ? { type: "dynamic-tool", toolName: one.name } : { type: `tool-${one.name}` }), toolCallId: one.id, input: one.args, ...uiState(one) })) },
    ],
  },
  {
    name: "AI SDK UI messages of v4",
    tells: ["failed", "denied", "pending"],
    render: (turn) => [
      { id: "u", role: "user", content: turn.user, parts: [text(turn.user)] },
      {
        id: "a", role: "assistant", content: turn.steps.flatMap(({ texts }) => texts).join(""), parts: oneMessage(turn, invocation),
        toolInvocations: turn.steps.flatMap(({ calls }) => calls.map((one) => (invocation(one) as { toolInvocation: object }).toolInvocation)),
      },
    ],
  },
  {
    name: "AI SDK model messages",
    tells: ["failed", "denied", "pending"],
    render: (turn) => [
      { role: "user", content: turn.user },
      ...steps(turn, ({ texts, calls }) => ({
        role: "assistant",
        content: [
          ...texts.map(text),
          ...calls.flatMap(({ id, name, args: given, ending: end }) => [
            { type: "tool-call", toolCallId: id, toolName: name, input: given },
            ...(end.state === "pending" || end.state === "denied" ? [{ type: "tool-approval-request", approvalId: `ap-${id}`, toolCallId: id }] : []),
          ]),
        ],
      }), (calls) => unlessEmpty(calls.flatMap(modelEnds), (content) => ({ role: "tool", content }))),
    ],
  },
  {
    name: "AI SDK model messages of v4",
    tells: ["failed"],
    render: (turn) => [
      { role: "user", content: [text(turn.user)] },
      ...steps(turn, ({ texts, calls }) => ({ role: "assistant", content: [...texts.map(text), ...calls.map(({ id, name, args: given }) => ({ type: "tool-call", toolCallId: id, toolName: name, args: given }))] }),
        (calls) => unlessEmpty(calls.filter(hasEnded).map(({ id, name, ending: end }) => ({ type: "tool-result", toolCallId: id, toolName: name, ...(end.state === "succeeded" ? { result: end.result } : { result: end.state === "failed" ? end.error : "", isError: true }) })), (content) => ({ role: "tool", content }))),
    ],
  },
  {
    name: "OpenAI chat messages",
    textResults: true,
    tells: [],
    render: (turn) => [
      { role: "user", content: turn.user },
      ...steps(turn, ({ texts, calls }) => ({
        role: "assistant", content: texts.length === 0 ? null : texts.length === 1 ? texts[0] : texts.map(text),
        ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ id, name, args: given }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(given) } })) }),
      }), (calls) => calls.filter(hasEnded).map((one) => ({ role: "tool", tool_call_id: one.id, content: endedText(one) }))),
    ],
  },
  {
    name: "OpenAI Responses items",
    textResults: true,
    tells: [],
    render: (turn) => [
      { role: "user", content: turn.user },
      ...turn.steps.flatMap(({ texts, calls }) => [
        { type: "reasoning", id: "rs", summary: [] },
        ...texts.map((said) => ({ type: "message", id: "msg", role: "assistant", status: "completed", content: [{ type: "output_text", text: said, annotations: [] }] })),
        ...calls.map(({ id, name, args: given }) => ({ type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(given), status: "completed" })),
        ...calls.filter(hasEnded).map((one) => ({ type: "function_call_output", call_id: one.id, output: endedText(one) })),
      ]),
    ],
  },
  {
    name: "Anthropic blocks",
    textResults: true,
    tells: ["failed"],
    render: (turn) => [
      { role: "user", content: [text(turn.user)] },
      ...steps(turn, ({ texts, calls }) => ({ role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: "s" }, ...texts.map(text), ...calls.map(({ id, name, args: given }) => ({ type: "tool_use", id, name, input: given }))] }),
        (calls) => unlessEmpty(calls.filter(hasEnded).map((one) => ({ type: "tool_result", tool_use_id: one.id, content: one.id.endsWith("1") ? endedText(one) : [text(endedText(one))], ...(one.ending.state === "failed" ? { is_error: true } : {}) })), (content) => ({ role: "user", content }))),
    ],
  },
  { name: "LangChain messages", textResults: true, tells: ["failed"], render: langChain },
  { name: "LangChain messages, serialised", textResults: true, tells: ["failed"], dropsProto: true, render: (turn) => JSON.parse(JSON.stringify(langChain(turn))) as unknown[] },
  { name: "LangChain messages, stored", textResults: true, tells: ["failed"], dropsProto: true, render: (turn) => langChain(turn).map((message) => message.toDict()) },
];
