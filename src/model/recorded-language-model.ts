// Owns the recorded AI SDK model: the agent under test calls it as it would call the model itself, streamed or whole.

import { EntailError } from "../core/error.ts";
import { isIterable, iterate } from "../core/iterate.ts";
import { member, textMember } from "../core/member.ts";
import { endpointOf } from "../language-model/endpoint.ts";
import { isLanguageModel, type LanguageModel } from "../language-model/language-model.ts";
import { fromJson, type Json } from "./plain-json.ts";
import { keptJson, recall, type Kept, type Recorder } from "./recorded-call.ts";

/** A model with its own type: whatever an AI SDK provider makes. */
export interface RecordableModel {
  readonly modelId: string;
  // `any`: each specification has its own options and results, and all of them pass through unchanged.
  doGenerate(options: any): PromiseLike<any>;
  doStream(options: any): PromiseLike<any>;
}

/** Neither says what is asked: a signal is no data, and headers carry keys and versions. */
const NOT_ASKED = ["abortSignal", "headers"];

function askedOf(model: LanguageModel, options: unknown): unknown {
  const call = Object.fromEntries(Object.entries(options ?? {}).filter(([name]) => !NOT_ASKED.includes(name)).map(([name, value]) => [name, name === "prompt" ? withoutBookkeeping(value) : value]));
  return { provider: model.provider, model: model.modelId, endpoint: endpointOf(model), call };
}

/** Mastra writes the time of each message beside it, under its own name, where no provider looks. */
function withoutBookkeeping(prompt: unknown): unknown {
  if (Array.isArray(prompt)) return prompt.map(withoutBookkeeping);
  const { providerOptions, content } = (prompt ?? {}) as { readonly providerOptions?: unknown; readonly content?: unknown };
  if (member(providerOptions, "mastra") === undefined && !Array.isArray(content)) return prompt;
  const own = Object.entries(providerOptions ?? {}).filter(([name]) => name !== "mastra");
  return { ...(prompt as object), providerOptions: own.length === 0 ? undefined : Object.fromEntries(own), ...(Array.isArray(content) && { content: withoutBookkeeping(content) }) };
}

/** The reason in either shape: v3 and v4 give `{ unified, raw }`, v2 one word. */
function leftOut(finishReason: unknown): string | undefined {
  const reason = typeof finishReason === "string" ? finishReason : textMember(finishReason, "unified");
  return reason === "stop" || reason === "tool-calls" ? undefined : `it ended with ${reason ?? "no reason"}, and only whole answers are kept`;
}

function keptResult(result: unknown): Kept {
  const left = leftOut(member(result, "finishReason"));
  if (left !== undefined) return { left };
  const content = member(result, "content");
  if (!Array.isArray(content) || content.length === 0) return { left: "it is empty" };
  const { id, timestamp, modelId } = (member(result, "response") ?? {}) as Readonly<Record<string, unknown>>;
  return keptJson({ content, finishReason: member(result, "finishReason"), usage: member(result, "usage"), warnings: member(result, "warnings") ?? [], providerMetadata: member(result, "providerMetadata"), response: { id, timestamp, modelId } }, false);
}

const DELTAS = ["text-delta", "reasoning-delta", "tool-input-delta"];

/** Pieces of one text are kept as one; raw chunks are not kept. */
function keptParts(parts: readonly unknown[]): Kept {
  const kept: unknown[] = [];
  let finish: unknown;
  for (const part of parts) {
    const type = textMember(part, "type");
    if (type === "raw") continue;
    if (type === "error") return { left: "its stream held an error" };
    if (type === "finish") finish = part;
    const last = kept.at(-1);
    if (type !== undefined && DELTAS.includes(type) && textMember(last, "type") === type && textMember(last, "id") === textMember(part, "id") && member(part, "providerMetadata") === undefined) {
      kept[kept.length - 1] = { ...(last as object), delta: `${textMember(last, "delta") ?? ""}${textMember(part, "delta") ?? ""}` };
    } else kept.push(part);
  }
  if (finish === undefined) return { left: "its stream broke off" };
  const left = leftOut(member(finish, "finishReason"));
  return left === undefined ? keptJson(kept, false) : { left };
}

async function* watched(stream: Parameters<typeof iterate>[0], keep: (kept: Kept) => void): AsyncGenerator<unknown, void> {
  const parts: unknown[] = [];
  for await (const part of iterate(stream)) {
    parts.push(part);
    yield part;
  }
  keep(keptParts(parts));
}

/** A web stream that reads only as fast as it is read, and is cancelled with its reader. */
function webStream(parts: AsyncGenerator<unknown, void> | Generator<unknown, void>): ReadableStream<unknown> {
  return new ReadableStream<unknown>(
    {
      async pull(controller) {
        const step = await parts.next();
        if (step.done === true) controller.close();
        else controller.enqueue(step.value);
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

function* replayedParts(answer: Json): Generator<unknown, void> {
  const parts = fromJson(answer);
  if (Array.isArray(parts)) yield* parts as unknown[];
}

/**
 * `model` with its answers recorded; everything else about it is its own. Throws `option_invalid` for what is no AI SDK model, a
 * model's name among them.
 */
export function recordedLanguageModel<Model extends RecordableModel>(recorder: Recorder, model: Model): Model {
  const given: unknown = model;
  if (!isLanguageModel(given)) throw new EntailError("option_invalid", 'recording().model() needs a model of an AI SDK provider, such as openai("…"), not its name');

  const doGenerate = async (options: unknown): Promise<unknown> => {
    const found = recall(recorder, "generate", undefined, askedOf(given, options));
    if (found?.answer !== undefined) return fromJson(found.answer);
    const result: unknown = await model.doGenerate(options);
    found?.keep(keptResult(result));
    return result;
  };
  const doStream = async (options: unknown): Promise<unknown> => {
    const found = recall(recorder, "stream", undefined, askedOf(given, options));
    if (found?.answer !== undefined) return { stream: webStream(replayedParts(found.answer)) };
    const result: unknown = await model.doStream(options);
    const stream = member(result, "stream");
    if (found === undefined || !isIterable(stream)) return result;
    return { ...(result as object), stream: webStream(watched(stream, found.keep)) };
  };
  // A model may hide what it is made of, so its own members are read and called on itself.
  return new Proxy(model, {
    get(target, name) {
      if (name === "doGenerate") return doGenerate;
      if (name === "doStream") return doStream;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" && !Object.hasOwn(target, name) ? value.bind(target) : value;
    },
  });
}
