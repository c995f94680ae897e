// A stand-in for a real model that speaks OpenAI's protocol over HTTP. It decides everything from the messages it receives, so what an
// agent does not send it, it does not know.
import { LLMock, type ChatCompletionRequest, type FixtureResponse } from "@copilotkit/aimock";
import { CITIES, type Forecast } from "./forecasts.ts";

export interface ScriptedModel {
  readonly url: string;
  /** The requests it has received so far, in order. */
  readonly requests: () => readonly ChatCompletionRequest[];
  stop(): Promise<void>;
}

/** Starts the server on a free port of the loopback. */
export async function startScriptedModel(): Promise<ScriptedModel> {
  const received: ChatCompletionRequest[] = [];
  const server = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  server.on({ predicate: () => true }, (request) => {
    received.push(request);
    return answer(request.messages);
  });
  await server.start();
  return { url: `${server.url}/v1`, requests: () => received, stop: () => server.stop() };
}

type Messages = ChatCompletionRequest["messages"];

function textOf(content: Messages[number]["content"]): string {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
}

/** The texts of the user, in order. */
export function saidByUser(messages: Messages): readonly string[] {
  return messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
}

const sentence = ({ city, day, sky, celsius }: Forecast): string => `The weather in ${city} ${day}: ${sky}, ${celsius} °C.`;

function answer(messages: Messages): FixtureResponse {
  const said = saidByUser(messages);
  const question = said.at(-1) ?? "";
  const last = messages.at(-1);
  if (last?.role === "tool") return { content: aboutResult(textOf(last.content)) };
  const favorite = /my favou?rite city is (\w+)/i.exec(question)?.[1];
  if (favorite !== undefined) return { content: `I will remember that your favorite city is ${favorite}.` };
  if (/\bcompare\b/i.test(question)) return { content: compared(messages) };
  if (!/\b(?:weather|tomorrow|forecast)\b/i.test(question)) return { content: "I only know about the weather." };
  const city = /\bin (?!my)(\w+)/.exec(question)?.[1] ?? lastCity(said);
  if (city === undefined) return { content: "Which city do you mean?" };
  return { toolCalls: [{ name: "get_weather", arguments: JSON.stringify({ city, day: /\btomorrow\b/i.test(question) ? "tomorrow" : "today" }) }] };
}

function aboutResult(result: string): string {
  const read: unknown = parsed(result);
  return isForecast(read) ? sentence(read) : "There is no forecast for that city, so I cannot tell its weather.";
}

function compared(messages: Messages): string {
  const forecasts = messages.filter(({ role }) => role === "tool").map(({ content }) => parsed(textOf(content))).filter(isForecast);
  const [before, after] = forecasts.slice(-2);
  if (before === undefined || after === undefined) return "I do not know two forecasts that I could compare.";
  const difference = after.celsius - before.celsius;
  return `In ${after.city} it is ${Math.abs(difference)} °C ${difference < 0 ? "colder" : "warmer"} ${after.day} than ${before.day}, and ${after.sky} instead of ${before.sky}.`;
}

/** The city that was spoken of last. */
function lastCity(said: readonly string[]): string | undefined {
  return said.map((text) => CITIES.find((city) => text.includes(city))).findLast((city) => city !== undefined);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isForecast = (value: unknown): value is Forecast => typeof value === "object" && value !== null && "sky" in value && "celsius" in value;
