// Owns durations as people write them (Go's grammar) and the longest one a timer can hold.

/** 24 days: `setTimeout` wraps around after 2^31 - 1 ms, which is a little more. */
export const MAX_DURATION_MS: number = 24 * 24 * 60 * 60 * 1000;

const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;

/** Reads `"2m"`, `"90s"`, `"1h30m"` or `"500ms"` as milliseconds; `undefined` where the text is no duration. The sign of Go's grammar is read too. */
export function parseDuration(text: string): number | undefined {
  const sign = text.startsWith("-") ? -1 : 1;
  const body = text.replace(/^[+-]/, "");
  if (body === "0") return 0;
  let total = 0;
  let end = 0;
  for (const part of body.matchAll(PART)) {
    total += Number(part[1]) * (UNIT_MS[part[2] ?? ""] ?? Number.NaN);
    end = part.index + part[0].length;
  }
  return end > 0 && end === body.length ? sign * total : undefined;
}

/** Whole nanoseconds as milliseconds: what a report holds, so that its wire form gives the same number back. */
export function wholeNanoseconds(ms: number): number {
  return Math.round(ms * 1e6) / 1e6;
}

/** Milliseconds as a person reads them: `850ms`, `12.3s`, `4m05s`, `1h02m`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return ms === 0 ? "0ms" : "<1ms";
  if (ms < 999.5) return `${Math.round(ms)}ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  const pad = (n: number): string => String(n).padStart(2, "0");
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${pad(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${pad(Math.floor((seconds % 3600) / 60))}m`;
}
