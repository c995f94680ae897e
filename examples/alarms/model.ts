// Connects the agent and the judge to a model: a real one where there is a key, else the stand-in beside this file.
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModel } from "ai";
import { startScriptedModel } from "./scripted-model.ts";

export interface Connection {
  /** Exactly the type that both `ai` and `entail/adapter/ai-sdk` take. */
  readonly model: Exclude<LanguageModel, string>;
  readonly name: string;
  close(): Promise<void>;
}

/** Reads `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL`. Without a key it starts the stand-in on the loopback. */
export async function connect(): Promise<Connection> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL, OPENAI_MODEL: name = "gpt-5-mini" } = process.env;
  if (apiKey !== undefined && apiKey !== "") {
    const openai = createOpenAI({ apiKey, ...(baseURL === undefined ? {} : { baseURL }) });
    return { model: openai.chat(name), name, close: () => Promise.resolve() };
  }
  const server = await startScriptedModel();
  const openai = createOpenAI({ apiKey: "none-needed", baseURL: server.url });
  return { model: openai.chat("scripted"), name: "scripted", close: () => server.stop() };
}
