// Owns what an adapter noticed in a stream that no evidence can hold: each said once, with how often it happened.

export const STREAM_WARNINGS = [
  "part_unknown",
  "call_id_missing",
  "call_id_reused",
  "call_repeated",
  "result_unmatched",
  "result_repeated",
  "approval_unmatched",
  "text_retracted",
  "call_retracted",
  "answer_empty",
] as const;

export interface StreamWarning {
  readonly code: (typeof STREAM_WARNINGS)[number];
  readonly message: string;
  /** How often it happened. */
  readonly times: number;
}

export interface Warnings {
  add(code: StreamWarning["code"], message: string): void;
  list(): readonly StreamWarning[];
}

/** A stream of nonsense must not fill the memory. */
const MAX_WARNINGS = 100;

export function warnings(): Warnings {
  const seen = new Map<string, { code: StreamWarning["code"]; message: string; times: number }>();
  return {
    add(code, message) {
      const known = seen.get(`${code} ${message}`);
      if (known !== undefined) known.times += 1;
      else if (seen.size < MAX_WARNINGS) seen.set(`${code} ${message}`, { code, message, times: 1 });
    },
    list: () => [...seen.values()].map((warning) => ({ ...warning })),
  };
}
