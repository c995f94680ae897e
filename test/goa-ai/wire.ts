// Owns Goa-AI's events as they stand on the wire, each in a line, and the texts of a stream that carries them.

export const RUN = "run-1";
export const SESSION = "session-1";

export interface Wire {
  readonly type: string;
  readonly run_id?: string;
  readonly session_id?: string;
  readonly event_key?: string;
  readonly timestamp?: string;
  readonly payload?: unknown;
}

let seconds = 0;

export function wire(type: string, payload: unknown = {}, over: Partial<Wire> = {}): Wire {
  seconds = (seconds + 1) % 60;
  return { type, run_id: RUN, session_id: SESSION, timestamp: `2026-08-22T10:00:${String(seconds).padStart(2, "0")}Z`, payload, ...over };
}

export const starts = (id: string, name: string, args: unknown = {}, more: object = {}, over: Partial<Wire> = {}): Wire =>
  wire("tool_start", { tool_call_id: id, tool_name: name, payload: args, display_hint: `calls ${name}`, queue: "tools", ...more }, over);

export const ends = (id: string, name: string, result: unknown, more: object = {}, over: Partial<Wire> = {}): Wire =>
  wire("tool_end", { call_run_id: over.run_id ?? RUN, tool_call_id: id, tool_name: name, result, duration: 1_000_000, ...more }, over);

export const fails = (id: string, name: string, kind: string, message = `${kind} it was`, over: Partial<Wire> = {}): Wire =>
  wire("tool_end", { call_run_id: over.run_id ?? RUN, tool_call_id: id, tool_name: name, duration: 0, failure: { kind, error: { message, cause: { message: "deeper" } }, recovery: { action: "replan" } } }, over);

export const says = (text: string, over: Partial<Wire> = {}): Wire => wire("assistant_reply", { response_id: "r", text }, over);
export const phase = (name: string, more: object = {}, over: Partial<Wire> = {}): Wire => wire("workflow", { phase: name, ...more }, over);
export const asks = (id: string, name: string, args: unknown = {}): Wire =>
  wire("await_confirmation", { id: `confirm-${id}`, title: "Confirm", prompt: `May I call ${name}?`, tool_name: name, tool_call_id: id, payload: args });
export const decides = (id: string, name: string, approved: boolean, over: Partial<Wire> = {}): Wire =>
  wire("tool_authorization", { tool_name: name, tool_call_id: id, approved, summary: approved ? "yes" : "no", approved_by: "user:u1" }, over);
export const streamEnd = (over: Partial<Wire> = {}): Wire => wire("run_stream_end", {}, over);

/** The last two events of a run. */
export const over = (name = "completed", more: object = {}, of: Partial<Wire> = {}): readonly Wire[] => [
  phase(name, { status: name === "completed" ? "success" : name, ...more }, of),
  streamEnd(of),
];

/** The events as they come, one after the other. */
export async function* objects(...told: readonly (Wire | readonly Wire[])[]): AsyncGenerator<Wire, void> {
  for (const event of told.flat() as readonly Wire[]) yield event;
}

/** The text of a stream of server-sent events, as an endpoint writes it. */
export function serverSent(...told: readonly (Wire | readonly Wire[])[]): string {
  return `: connected\n\n${(told.flat() as readonly Wire[]).map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")}`;
}

/** A text in pieces of so many bytes, which split characters, escapes and lines alike. */
export async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array, void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
