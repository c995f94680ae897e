// Connects the agent to a model: a real one where there is a key, else the stand-in beside this file.
import { startScriptedModel } from "./scripted-model.ts";

export interface Connection {
  /** Mastra's own form for a model behind OpenAI's protocol. */
  readonly model: { readonly id: `${string}/${string}`; readonly url?: string; readonly apiKey: string };
  readonly name: string;
  close(): Promise<void>;
}

/** Reads `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `OPENAI_MODEL`. Without a key it starts the stand-in on the loopback. */
export async function connect(): Promise<Connection> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: url, OPENAI_MODEL: name = "gpt-5-mini" } = process.env;
  if (apiKey !== undefined && apiKey !== "") return { model: { id: `openai/${name}`, apiKey, ...(url !== undefined && { url }) }, name, close: () => Promise.resolve() };
  const server = await startScriptedModel();
  return { model: { id: "scripted/weather", url: server.url, apiKey: "none-needed" }, name: "scripted", close: () => server.stop() };
}
