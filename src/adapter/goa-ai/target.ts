// Owns `target`: a Goa-AI agent behind an HTTP endpoint that starts a run and answers with its stream as server-sent events.

import { abortError } from "../../core/abort.ts";
import { EntailError, messageOf } from "../../core/error.ts";
import type { EventStream } from "../../core/event.ts";
import type { Target, TargetOptions } from "../../core/target.ts";
import { eventsOf, observed, type EventsOptions } from "./events.ts";

/** One turn: a text, or whatever the endpoint takes as input. */
export type GoaInput = unknown;

/** What is sent for a turn, as JSON. */
export interface EndpointRequest {
  readonly input: GoaInput;
  /** The thread of the turn: Goa-AI's sessions are what turns share. */
  readonly session_id?: string | undefined;
  readonly resource_id?: string | undefined;
  /** Counts from 0. */
  readonly turn?: number | undefined;
}

export interface GoaTargetOptions extends Pick<EventsOptions, "without"> {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>> | ((turn: TargetOptions) => Readonly<Record<string, string>>) | undefined;
  /** Makes the body of a request where the endpoint takes another one than `{ input, session_id?, resource_id?, turn? }`. */
  readonly body?: ((input: GoaInput, turn: TargetOptions) => unknown) | undefined;
  /** Whether the endpoint keeps the session by itself, as Goa-AI does. True when absent. */
  readonly memory?: boolean | undefined;
  /** The platform's own when absent. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Makes a target of an endpoint that takes `POST { input, session_id?, resource_id?, turn? }` and answers with the run's events, each the `data` of
 * one server-sent event, up to the run's `run_stream_end`. The turn's signal aborts the request. Throws `option_invalid` for an address that is
 * none; an answer without a stream rejects with `stream_incomplete`, which names the status.
 */
export function target(options: GoaTargetOptions): Target {
  const { headers, body, memory = true, fetch: send = globalThis.fetch, without } = options;
  const url = addressOf(options.url);
  const observes = observed({ without });
  return {
    observes,
    memory,
    send(input, turn): EventStream {
      // An endpoint may name its sessions as it likes, so none is left out for its name.
      return eventsOf(() => open(input, turn), { without });
    },
  };

  async function open(input: GoaInput, turn: TargetOptions): Promise<unknown> {
    const request: EndpointRequest = {
      input,
      ...(turn.threadId === undefined ? {} : { session_id: turn.threadId }),
      ...(turn.resourceId === undefined ? {} : { resource_id: turn.resourceId }),
      ...(turn.turn === undefined ? {} : { turn: turn.turn }),
    };
    let response: Response;
    try {
      response = await send(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "text/event-stream", ...(typeof headers === "function" ? headers(turn) : headers) },
        body: JSON.stringify(body === undefined ? request : body(input, turn)),
        signal: turn.signal,
      });
    } catch (thrown) {
      if (turn.signal.aborted) throw abortError(turn.signal, "the request to the agent");
      throw new EntailError("stream_incomplete", `the agent at ${place(url)} could not be reached: ${messageOf(thrown)}`, { cause: thrown });
    }
    if (response.ok && response.body !== null) return response;
    const said = (await response.text().catch(() => "")).replaceAll(/\s+/g, " ").trim().slice(0, 200);
    throw new EntailError("stream_incomplete", `the agent at ${place(url)} gave no stream of events: it answered ${response.status}${said === "" ? "" : ` (${said})`}`);
  }
}

function addressOf(url: unknown): URL {
  try {
    return new URL(String(url));
  } catch {
    throw new EntailError("option_invalid", `target() needs the url of an endpoint; ${JSON.stringify(url)} is none`);
  }
}

/** Without user, password and query, which may hold secrets. */
function place({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
