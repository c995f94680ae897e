// The product under test keeps its alarms here: 23 of the last day, handed out ten at a time.

export const SEVERITIES = ["critical", "warning", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface Alarm {
  readonly id: string;
  readonly severity: Severity;
  readonly source: string;
  readonly cause: string;
  readonly acknowledged: boolean;
}

const SOURCES = ["chiller-1", "chiller-2", "boiler-1", "pump-3", "fan-7"] as const;
const CAUSES = ["pressure above 12 bar", "sensor silent", "door left open", "filter clogged", "supply voltage low"] as const;

function severityOf(n: number): Severity {
  if (n % 6 === 1) return "critical";
  return n % 2 === 0 ? "warning" : "info";
}

export const ALARMS: readonly Alarm[] = Array.from({ length: 23 }, (_, n) => ({
  id: `A-${101 + n}`,
  severity: severityOf(n),
  source: SOURCES[n % SOURCES.length] ?? SOURCES[0],
  cause: CAUSES[(n * 3) % CAUSES.length] ?? CAUSES[0],
  acknowledged: false,
}));

const PAGE = 10;

export interface Page {
  readonly alarms: readonly { readonly id: string; readonly severity: Severity; readonly source: string }[];
  readonly total: number;
  readonly next_cursor?: string;
}

/** One page of the alarms of a window; `cursor` is what the page before gave. */
export function listAlarms(filter: { readonly severity?: Severity | undefined; readonly cursor?: string | undefined }): Page {
  const matching = ALARMS.filter((alarm) => filter.severity === undefined || alarm.severity === filter.severity);
  const start = filter.cursor === undefined ? 0 : Number(filter.cursor.replace("after-", ""));
  const alarms = matching.slice(start, start + PAGE).map(({ id, severity, source }) => ({ id, severity, source }));
  const end = start + alarms.length;
  return { alarms, total: matching.length, ...(end < matching.length ? { next_cursor: `after-${end}` } : {}) };
}

/** Throws where there is no such alarm: the product refuses, nothing is broken. */
export function getAlarm(id: string): Alarm {
  const alarm = ALARMS.find((candidate) => candidate.id === id);
  if (alarm === undefined) throw Object.assign(new Error(`there is no alarm ${id}`), { kind: "domain_rejection" });
  return alarm;
}
