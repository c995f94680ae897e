// Owns where the page's answers come from: the server that served it, or the report that an exported file carries.

import type { LabelledAnswer } from "../answer/judge-form.ts";
import type { Problem } from "../answer/form.ts";
import { stepOf } from "../answer/step.ts";

/** What a page asks with. `path` is what stands behind `/api/`. */
export interface Source {
  /** False where nothing can change: no labels, no live run. */
  readonly served: boolean;
  /** The characters that an exported file has of its longest texts; absent where they are whole. */
  readonly cut?: number | undefined;
  get(path: string): Promise<unknown>;
  label(given: unknown): Promise<LabelledAnswer>;
  removeLabel(id: string): Promise<void>;
  /** Calls back with each version of the store, and with whether the server can be heard. */
  follow(listener: Follower): () => void;
}

export interface Follower {
  version(version: number): void;
  lost(nextTryMs: number): void;
  found(): void;
}

/** What a rejected answer carries. */
export interface AskError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** The longest wait before the next try, in milliseconds. */
const WAIT_AT_MOST = 10_000;

export function serverSource(): Source {
  const ask = async (path: string, init?: RequestInit): Promise<unknown> => {
    let response: Response;
    try {
      response = await fetch(`/api/${path}`, init);
    } catch {
      return Promise.reject<unknown>({ status: 0, code: "not_connected", message: "the server does not answer" } satisfies AskError);
    }
    if (response.ok) return response.json();
    const problem = (await response.json().catch(() => undefined)) as Problem | undefined;
    return Promise.reject<unknown>({ status: response.status, code: problem?.error.code ?? "unknown", message: problem?.error.message ?? response.statusText } satisfies AskError);
  };
  return {
    served: true,
    get: (path) => ask(path),
    label: (given) => ask("labels", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(given) }) as Promise<LabelledAnswer>,
    removeLabel: async (id) => {
      await ask(`labels/${stepOf(id)}`, { method: "DELETE" });
    },
    follow,
  };
}

function follow(listener: Follower): () => void {
  let stream: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = 1000;
  const open = (): void => {
    stream = new EventSource("/api/events");
    stream.addEventListener("version", (event: MessageEvent<string>) => {
      wait = 1000;
      listener.found();
      listener.version(Number(event.data));
    });
    stream.addEventListener("error", () => {
      stream?.close();
      listener.lost(wait);
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, WAIT_AT_MOST);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    stream?.close();
  };
}
