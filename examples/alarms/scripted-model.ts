// A stand-in for a real model that speaks OpenAI's protocol over HTTP. It decides everything from the request it receives: the
// instructions, the question, the tools on offer and what they answered; it knows no scenario's name and counts no calls.
import { LLMock, type ChatCompletionRequest, type FixtureResponse } from "@copilotkit/aimock";
import { judgeAnswer } from "./scripted-judge.ts";

/** Starts the server on a free port of the loopback. */
export async function startScriptedModel(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = new LLMock({ port: 0, host: "127.0.0.1", logLevel: "silent" });
  server.on({ predicate: () => true }, (request) => (isForced(request) ? judgeAnswer(request) : agentAnswer(request)));
  await server.start();
  return { url: `${server.url}/v1`, stop: () => server.stop() };
}

const isForced = (request: ChatCompletionRequest): boolean => typeof request.tool_choice === "object";

interface Listed {
  readonly alarms: readonly { readonly id: string; readonly severity: string }[];
  readonly total: number;
  readonly next_cursor?: string;
}

interface Conversation {
  readonly instructions: string;
  readonly question: string;
  /** Answers of tools since the question, in order, beside the arguments they were called with. */
  readonly answers: readonly { readonly name: string; readonly args: Record<string, string>; readonly text: string }[];
}

function textOf(content: ChatCompletionRequest["messages"][number]["content"]): string {
  return typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
}

function conversationOf({ messages }: ChatCompletionRequest): Conversation {
  const calls = new Map(messages.flatMap((message) => message.tool_calls ?? []).map((call) => [call.id, call.function]));
  const answers = messages
    .filter((message) => message.role === "tool")
    .map((message) => {
      const call = calls.get(message.tool_call_id ?? "");
      return { name: call?.name ?? "", args: JSON.parse(call?.arguments ?? "{}") as Record<string, string>, text: textOf(message.content) };
    });
  const instructions = messages.filter((message) => message.role === "system").map((message) => textOf(message.content));
  return { instructions: instructions.join("\n"), question: textOf(messages.findLast((message) => message.role === "user")?.content ?? ""), answers };
}

function call(name: string, args: Record<string, string | undefined>): FixtureResponse {
  return { toolCalls: [{ name, arguments: JSON.stringify(args) }] };
}

function agentAnswer(request: ChatCompletionRequest): FixtureResponse {
  const conversation = conversationOf(request);
  const { question } = conversation;
  const alarm = /\bA-\d+\b/.exec(question)?.[0];
  if (alarm !== undefined) return aboutOne(alarm, conversation);
  if (/\balarms?\b/i.test(question)) return aboutMany(conversation);
  if (/\bhello\b/i.test(question)) return { content: "Hello! Ask me about the alarms of this building." };
  return { content: "I only know about the alarms of this building, so I cannot help with that." };
}

function aboutOne(id: string, { question, answers }: Conversation): FixtureResponse {
  const name = /\bdelete\b/i.test(question) ? "delete_alarm" : /\backnowledge\b/i.test(question) ? "acknowledge_alarm" : "get_alarm";
  const answer = answers.at(-1);
  if (answer === undefined) return call(name, { id });
  if (/there is no alarm/.test(answer.text)) return { content: `Alarm ${id} does not exist.` };
  if (name === "delete_alarm") return { content: `Alarm ${id} was deleted.` };
  if (name === "acknowledge_alarm") return { content: `Alarm ${id} is acknowledged.` };
  const found = JSON.parse(answer.text) as { severity: string; source: string; cause: string };
  return { content: `The cause of the ${found.severity} alarm ${id}, which comes from ${found.source}, is: ${found.cause}.` };
}

function aboutMany({ instructions, question, answers }: Conversation): FixtureResponse {
  const window = /\b(\d+)\s*h/i.exec(question)?.[0]?.replace(/\s/g, "") ?? "24h";
  const severity = /\b(critical|warning|info)\b/i.exec(question)?.[1]?.toLowerCase();
  const pages = answers.map((answer) => JSON.parse(answer.text) as Listed);
  const last = pages.at(-1);
  if (last === undefined) return call("list_alarms", { window, severity });
  const mayPage = instructions.includes("next_cursor");
  if (last.next_cursor !== undefined && mayPage) return call("list_alarms", { window, severity, cursor: last.next_cursor });
  const alarms = pages.flatMap((page) => page.alarms);
  if (/\bhow many\b/i.test(question)) {
    const count = (of: string): number => alarms.filter((alarm) => alarm.severity === of).length;
    return { content: `In the last ${window} there are ${alarms.length} alarms: ${count("critical")} critical, ${count("warning")} warning, ${count("info")} info.` };
  }
  const kind = severity === undefined ? "" : `${severity} `;
  return { content: `In the last ${window} there are ${alarms.length} ${kind}alarms: ${alarms.map((alarm) => alarm.id).join(", ")}.` };
}
