// Owns what a miss is told with: the recording that lies nearest to what was asked, and where the two differ.

import { itemPath, memberPath } from "../core/json-path.ts";
import type { Scope } from "../core/scope.ts";
import { isList, jsonKey, sameButMasks, type Json } from "./plain-json.ts";

export interface Asked {
  readonly kind: string;
  readonly scope: Scope;
  readonly request: Json;
  readonly hidden?: string | undefined;
}

interface Difference {
  readonly path: string;
  readonly recorded: string;
  readonly asked: string;
}

const SCOPE_MEMBERS = ["suite", "scenario", "trial", "purpose"] as const;
/** More than this is another request altogether. */
const MAX_DIFFERENCES = 40;
const SHOWN = 3;
const EXCERPT = 60;
const BEFORE = 24;

/** What differs between two values, in the order of the first, to a number. A text differs where a mask does not explain it. */
function differences(recorded: Json | undefined, asked: Json | undefined, most: number): readonly Difference[] {
  const found: Difference[] = [];
  const walk = (a: Json | undefined, b: Json | undefined, path: string): void => {
    if (found.length >= most) return;
    if (typeof a === "object" && a !== null && typeof b === "object" && b !== null && isList(a) === isList(b)) {
      if (isList(a) && isList(b)) for (let at = 0; at < Math.max(a.length, b.length); at++) walk(a[at], b[at], itemPath(path, at));
      else if (!isList(a) && !isList(b)) for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) walk(own(a, name), own(b, name), memberPath(path, name));
      return;
    }
    if (a === b || (typeof a === "string" && typeof b === "string" && sameButMasks(a, b))) return;
    found.push({ path, ...excerpts(a, b) });
  };
  walk(recorded, asked, "");
  return found;
}

function own(json: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(json, name) ? json[name] : undefined;
}

/** Of two long texts, what surrounds the first character that differs. */
function excerpts(a: Json | undefined, b: Json | undefined): Pick<Difference, "recorded" | "asked"> {
  const from = typeof a === "string" && typeof b === "string" ? startOf(commonStart(a, b)) : 0;
  const show = (json: Json | undefined): string => {
    if (json === undefined) return "nothing";
    const text = typeof json === "string" ? json.slice(from) : jsonKey(json);
    const cut = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
    return typeof json === "string" ? JSON.stringify(`${from > 0 ? "…" : ""}${cut}`) : cut;
  };
  return { recorded: show(a), asked: show(b) };
}

/** A short beginning is shown whole. */
function startOf(firstDifference: number): number {
  return firstDifference <= EXCERPT - BEFORE ? 0 : firstDifference - BEFORE;
}

function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  return at;
}

/** What a scope is called in a sentence. */
export function scopeText({ suite, scenario, trial, purpose }: Scope): string {
  return scenario === "" ? purpose : `scenario ${JSON.stringify(scenario)} of suite ${JSON.stringify(suite)}, trial ${trial} (${purpose})`;
}

/** The end of a miss's sentence: the nearest of `recordings` and what differs, or that there is none. */
export function nearestText(asked: Asked, recordings: Iterable<Asked>): string {
  let nearest: Asked | undefined;
  let nearestScope: readonly (typeof SCOPE_MEMBERS)[number][] = [];
  let nearestDifferences: readonly Difference[] = [];
  let least = MAX_DIFFERENCES;
  let any = false;
  for (const recording of recordings) {
    any = true;
    if (recording.kind !== asked.kind) continue;
    const scope = SCOPE_MEMBERS.filter((name) => recording.scope[name] !== asked.scope[name]);
    // Of two that are equally near the one of the same scope is meant.
    const found = differences(recording.request, asked.request, least + 1 - scope.length);
    const distance = found.length + scope.length + (scope.length > 0 ? 0.5 : 0);
    if (distance >= least) continue;
    [nearest, nearestScope, nearestDifferences, least] = [recording, scope, found, distance];
  }
  if (nearest === undefined) return any ? "nothing that it holds is like it" : "it holds nothing";
  if (nearestScope.length === 0 && nearestDifferences.length === 0) return nearest.hidden === asked.hidden ? "it holds this request, but not so often" : "it holds a request that differs in what is masked, such as the query of an address";
  const parts = [
    ...nearestScope.map((name) => `${name} ${JSON.stringify(nearest.scope[name])} was recorded, ${JSON.stringify(asked.scope[name])} was asked`),
    ...nearestDifferences.slice(0, SHOWN).map(({ path, recorded, asked: now }) => `${path === "" ? "the request" : path}: ${recorded} was recorded, ${now} was asked`),
    ...(nearestDifferences.length > SHOWN ? [`and ${nearestDifferences.length - SHOWN} more`] : []),
  ];
  return `the nearest differs in ${parts.join("; ")}`;
}
