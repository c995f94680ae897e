// Owns the rows of a run that the page holds: pages of 200, read when they come into view, the ones least lately shown given up.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ScenarioRowForm, ScenariosAnswer } from "../../answer/form.ts";
import { askOnce } from "../answers.ts";

export const PAGE_ROWS = 200;
const PAGES_KEPT = 20;

export interface Rows {
  /** `undefined` where it is not here yet; asking for it has begun. */
  at(index: number): ScenarioRowForm | undefined;
  readonly total: number | undefined;
}

interface Book {
  key: string;
  total: number | undefined;
  readonly pages: Map<number, readonly ScenarioRowForm[]>;
  readonly asked: Set<number>;
}

/** `path` with its query, without `from` and `n`; another `edition` reads the rows again, and shows the old ones until then. */
export function useRows(path: string | undefined, edition: number, wanted: readonly [number, number]): Rows {
  const [, redraw] = useState(0);
  const held = useRef<Book>({ key: "", total: undefined, pages: new Map(), asked: new Set() });
  const editions = useRef(edition);
  const book = held.current;
  const fresh = book.key !== path;
  if (fresh) {
    book.key = path ?? "";
    book.total = undefined;
    book.pages.clear();
    book.asked.clear();
  } else if (editions.current !== edition) book.asked.clear();
  editions.current = edition;
  const [from, to] = wanted;
  const [firstPage, lastPage] = [Math.floor(from / PAGE_ROWS), Math.floor(Math.max(from, to - 1) / PAGE_ROWS)];
  useEffect(() => {
    if (path === undefined) return;
    for (let page = firstPage; page <= lastPage; page += 1) {
      if (book.asked.has(page)) continue;
      book.asked.add(page);
      void askOnce<ScenariosAnswer>(`${path}&from=${page * PAGE_ROWS}&n=${PAGE_ROWS}`).then(
        ({ rows, total }) => {
          if (book.key !== path) return;
          book.total = total;
          book.pages.delete(page);
          book.pages.set(page, rows);
          for (const old of book.pages.keys()) {
            if (book.pages.size <= PAGES_KEPT) break;
            book.pages.delete(old);
            book.asked.delete(old);
          }
          redraw((n) => n + 1);
        },
        () => book.asked.delete(page),
      );
    }
  }, [path, edition, firstPage, lastPage]);
  return { at: (index) => book.pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS], total: book.total };
}
