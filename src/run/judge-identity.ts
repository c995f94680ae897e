// Owns the reading of what a judge says of itself: a custom judge may say anything, and a report holds known members alone.

import type { Judge, JudgeIdentity } from "../core/judge.ts";
import { wireSafe } from "../core/wire-safe.ts";

const TEXTS = ["modelClass", "model", "fingerprint"] as const;
const COUNTS = ["maxOutputTokens", "maxCorrections"] as const;
const FLAGS = ["rawArguments", "judgeEvidence", "controls"] as const;

/** A judge that cannot say who it is stays without a name. Never throws. */
export function readIdentity(judge: Judge): JudgeIdentity {
  let said: unknown;
  try {
    said = wireSafe(judge.identity);
  } catch {
    return {};
  }
  const identity = readMembers(said);
  const { members } = (said ?? {}) as { readonly members?: unknown };
  return Array.isArray(members) && members.length > 0 ? { ...identity, members: members.map(readMembers) } : identity;
}

function readMembers(said: unknown): Omit<JudgeIdentity, "members"> {
  if (typeof said !== "object" || said === null || Array.isArray(said)) return {};
  const given = said as Readonly<Record<string, unknown>>;
  const kept = [
    ...TEXTS.filter((name) => typeof given[name] === "string" && given[name] !== ""),
    ...COUNTS.filter((name) => Number.isSafeInteger(given[name]) && (given[name] as number) >= 0),
    ...FLAGS.filter((name) => typeof given[name] === "boolean"),
  ];
  return Object.fromEntries(kept.map((name) => [name, given[name]]));
}
