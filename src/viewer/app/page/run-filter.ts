// Owns the filter of runs: what stands in its box, as members of the address and back.

export interface Filter {
  readonly suite?: string | undefined;
  readonly verdict?: string | undefined;
  readonly branch?: string | undefined;
  readonly tag?: string | undefined;
  readonly since?: string | undefined;
  /** Words without a name. */
  readonly q?: string | undefined;
}

const NAMES = ["suite", "verdict", "branch", "tag", "since"] as const;

/** From an address, or from what somebody typed: `suite:chat branch:main flaky`. */
export function filterOf(from: URLSearchParams | string): Filter {
  if (typeof from !== "string") return Object.fromEntries([...NAMES, "q"].flatMap((name) => (from.get(name) ? [[name, from.get(name)]] : [])));
  const filter: Record<string, string> = {};
  const words: string[] = [];
  for (const word of from.split(" ")) {
    const name = NAMES.find((each) => word.startsWith(`${each}:`) && word.length > each.length + 1);
    if (name === undefined) words.push(word);
    else filter[name] = word.slice(name.length + 1);
  }
  const q = words.join(" ");
  return q === "" ? filter : { ...filter, q };
}

/** What the box shows; `elsewhere` are members that have a field of their own. */
export function filterText(filter: Filter, elsewhere: readonly (typeof NAMES)[number][]): string {
  return [...NAMES.filter((name) => !elsewhere.includes(name)).flatMap((name) => (filter[name] === undefined ? [] : [`${name}:${filter[name]}`])), filter.q ?? ""].filter(Boolean).join(" ");
}
