// Owns how numbers, times and dates are written: few digits, the same everywhere, with their unit.

/** `76.3%`; whole percent where `digits` is 0. */
export const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)}%`;

/** `60.8 to 87.0`: in percent, without the sign, which the rate beside it has. */
export const percentRange = ([lower, upper]: readonly [number, number], digits = 1): string => `${(lower * 100).toFixed(digits)} to ${(upper * 100).toFixed(digits)}`;

/** Points with their sign: `−16.2`. */
export function points(share: number): string {
  const text = Math.abs(share * 100).toFixed(1);
  return text === "0.0" ? text : `${share < 0 ? "−" : "+"}${text}`;
}

export const count = (value: number): string => value.toLocaleString("en");

/** `$2.00`; more digits for less than a dollar, so that cents of a cent are not lost. */
export function dollars(value: number): string {
  if (value === 0) return "$0";
  if (Math.abs(value) >= 1) return `$${value.toFixed(2)}`;
  return `$${value.toFixed(Math.abs(value) >= 0.01 ? 3 : 4)}`;
}

/** `430 ms`, `13.1 s`, `4 m 12 s`, `1 h 03 m`. */
export function duration(ms: number): string {
  if (ms < 1) return "0 ms";
  if (ms < 999.5) return `${ms < 9.95 ? ms.toFixed(1).replace(/\.0$/, "") : Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
  return `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} m`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `12 min ago`; what it is exactly belongs into the title. */
export function ago(at: string, now: number): string {
  const age = now - Date.parse(at);
  if (Number.isNaN(age)) return "";
  if (age < MINUTE) return "now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  if (age < 2 * DAY) return "yesterday";
  if (age < 30 * DAY) return `${Math.floor(age / DAY)} days ago`;
  return day(at);
}

/** `30 Nov 2026`, in the viewer's own zone. */
export const day = (at: string): string => new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
export const shortDay = (at: string): string => new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short" });

/** With its zone. */
export const moment = (at: string): string => new Date(at).toLocaleString("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });

export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 999_500) return `${(size / 1000).toFixed(size < 9_950 ? 1 : 0)} kB`;
  return `${(size / 1_000_000).toFixed(1)} MB`;
}

/** `1 claim`, `3 claims`. */
export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
