// Owns the ids of items: as they are given, else a digest of what is sent, so that an item keeps its id where others come and go around it.

import { createHash } from "node:crypto";
import { EntailError } from "../core/error.ts";
import { wireSafe } from "../core/wire-safe.ts";
import { canonicalJson } from "../json/write-json.ts";

export interface Unnamed {
  readonly given: string | undefined;
  /** What the digest is of. */
  readonly identity: unknown;
}

/** Same order and length. Equal inputs get `_2`, `_3` in the order of the data. Throws `data_invalid`, naming the rows, where two are given one id. */
export function itemIds(items: readonly Unnamed[]): readonly string[] {
  const rows = new Map<string, number>();
  for (const [row, { given }] of items.entries()) {
    if (given === undefined) continue;
    const before = rows.get(given);
    if (before !== undefined) throw new EntailError("data_invalid", `data[${before}] and data[${row}] have the same id ${JSON.stringify(given)}; an id names one item`, { stage: "selection", id: "INVALID_DATA_ITEM" });
    rows.set(given, row);
  }
  const taken = new Set(rows.keys());
  const times = new Map<string, number>();
  return items.map(({ given, identity }) => {
    if (given !== undefined) return given;
    const base = `item_${digest(identity)}`;
    let id: string;
    do {
      const time = (times.get(base) ?? 0) + 1;
      times.set(base, time);
      id = time === 1 ? base : `${base}_${time}`;
    } while (taken.has(id));
    taken.add(id);
    return id;
  });
}

function digest(identity: unknown): string {
  const text = typeof identity === "string" ? JSON.stringify(identity) : canonicalJson(wireSafe(identity) ?? null);
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
