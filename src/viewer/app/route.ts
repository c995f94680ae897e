// Owns the addresses of the pages: one form for the server and for the exported file, hence behind the hash.

import { useEffect, useState } from "preact/hooks";
import { stepOf } from "../answer/step.ts";

export type Page = "runs" | "run" | "scenario" | "compare" | "trends" | "judge";

export interface Route {
  readonly page: Page | "unknown";
  /** The run, the pair, the suite or the fingerprint. */
  readonly first: string;
  /** The scenario. */
  readonly second: string;
  readonly query: URLSearchParams;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export function routeOf(hash: string): Route {
  const text = hash.replace(/^#\/?/, "");
  const mark = text.indexOf("?");
  const [page = "", first = "", second = ""] = (mark === -1 ? text : text.slice(0, mark)).split("/").map(decode);
  const query = new URLSearchParams(mark === -1 ? "" : text.slice(mark + 1));
  if (page === "") return { page: "runs", first, second, query };
  if (page === "run" && first !== "") return { page: second === "" ? "run" : "scenario", first, second, query };
  if (page === "compare" || page === "trends" || page === "judge") return { page, first, second, query };
  return { page: "unknown", first, second, query };
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** `#/run/<run>?outcome=failed`; members that are empty are left out. */
export function addressOf(steps: readonly string[], query: Query = {}): string {
  const asked = queryText(query);
  return `#/${steps.map(step).join("/")}${asked === "" ? "" : `?${asked}`}`;
}

// A pair of runs stays readable.
const step = (text: string): string => stepOf(text).replaceAll("%3A", ":");

export function queryText(query: Query): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") asked.set(name, String(value));
  return asked.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
}

export const go = (address: string): void => {
  location.hash = address;
};

/** The same page with other members in its query; no new step in the history. */
export function setQuery(changes: Query): void {
  const { query } = routeOf(location.hash);
  const members: Record<string, string | undefined> = Object.fromEntries(query);
  for (const [name, value] of Object.entries(changes)) members[name] = value === undefined ? undefined : String(value);
  const [path = "#/"] = location.hash.split("?");
  const asked = queryText(members);
  history.replaceState(history.state, "", `${path === "" ? "#/" : path}${asked === "" ? "" : `?${asked}`}`);
  dispatchEvent(new Event("entail-route"));
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener("hashchange", read);
    addEventListener("entail-route", read);
    return () => {
      removeEventListener("hashchange", read);
      removeEventListener("entail-route", read);
    };
  }, []);
  return routeOf(hash);
}
