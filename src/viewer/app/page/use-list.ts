// Owns moving in a list by keys: the row that is selected has the focus.

import { useRef, useState } from "preact/hooks";
import type { Keys } from "../keys.ts";

export interface List {
  /** The selected row; -1 before the first move. */
  readonly at: number;
  readonly keys: Keys;
  /** The ref of a row's link. */
  row(at: number): (element: HTMLElement | null) => void;
  select(at: number): void;
}

export function useList(length: number, open: (at: number) => void): List {
  const [at, setAt] = useState(-1);
  const rows = useRef(new Map<number, HTMLElement>());
  const select = (wanted: number): void => {
    const to = Math.max(0, Math.min(length - 1, wanted));
    if (length === 0) return;
    setAt(to);
    const row = rows.current.get(to);
    row?.focus({ preventScroll: true });
    row?.closest("tr")?.scrollIntoView({ block: "nearest" });
  };
  return {
    at: Math.min(at, length - 1),
    select,
    keys: {
      j: () => select(at + 1),
      k: () => select(at - 1),
      ArrowDown: () => select(at + 1),
      ArrowUp: () => select(at - 1),
      Enter: at >= 0 ? () => open(at) : undefined,
    },
    row: (index) => (element) => {
      if (element === null) rows.current.delete(index);
      else rows.current.set(index, element);
    },
  };
}
