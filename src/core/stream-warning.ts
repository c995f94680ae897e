// Owns what an adapter noticed in a stream that no evidence can hold: each said once, with how often it happened.

export interface StreamWarning<Code extends string = string> {
  readonly code: Code;
  readonly message: string;
  /** How often it happened. */
  readonly times: number;
}

export interface StreamWarnings<Code extends string = string> {
  add(code: Code, message: string): void;
  list(): readonly StreamWarning<Code>[];
}

/** A stream of nonsense must not fill the memory. */
const MAX_WARNINGS = 100;

export function streamWarnings<Code extends string>(): StreamWarnings<Code> {
  const seen = new Map<string, { code: Code; message: string; times: number }>();
  return {
    add(code, message) {
      const known = seen.get(`${code} ${message}`);
      if (known !== undefined) known.times += 1;
      else if (seen.size < MAX_WARNINGS) seen.set(`${code} ${message}`, { code, message, times: 1 });
    },
    list: () => [...seen.values()].map((warning) => ({ ...warning })),
  };
}
