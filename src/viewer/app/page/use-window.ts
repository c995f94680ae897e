// Owns which rows of a long list are in the document: all of a short one, else those in view and a few around them.

import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Up to so many rows all are there, and the browser's own search finds them. */
export const ALL_ROWS = 2_000;
const AROUND = 20;

export const rowHeight = (): number => (matchMedia("(max-width: 720px)").matches ? 64 : 34);

/** From and to, of `total` rows of one height that begin where the element ends. */
export function useWindow(anchor: RefObject<HTMLElement | null>, total: number, all: boolean): readonly [number, number] {
  const [view, setView] = useState<readonly [number, number]>([0, 60]);
  useEffect(() => {
    if (all) return undefined;
    let frame = 0;
    const look = (): void => {
      frame = 0;
      const element = anchor.current;
      if (element === null) return;
      const top = element.getBoundingClientRect().bottom;
      const height = rowHeight();
      const first = Math.max(0, Math.floor(-top / height) - AROUND);
      const last = Math.max(0, Math.ceil((innerHeight - top) / height) + AROUND);
      setView((before) => (before[0] === first && before[1] === last ? before : [first, last]));
    };
    const soon = (): void => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    look();
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", soon);
      removeEventListener("resize", soon);
    };
  }, [anchor, all, total]);
  if (all) return [0, total];
  return [Math.min(view[0], Math.max(0, total - 1)), Math.min(total, view[1])];
}
