// Owns one group of rows: its header, the rows in view, and the room that the others take.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ScenarioRowForm } from "../../answer/form.ts";
import { outcomesOf } from "../../answer/outcome-letter.ts";
import { Alien, oneLine } from "../part/alien.tsx";
import { Icon, OutcomeMark, Strip, wordOf } from "../part/mark.tsx";
import { count, dollars, duration } from "../part/number.ts";
import { addressOf } from "../route.ts";
import { openRow } from "./runs.tsx";
import type { Group } from "./group.ts";
import { useRows } from "./scenario-pages.ts";
import { rowHeight, useWindow } from "./use-window.ts";

const MEANING: Readonly<Record<Group, string>> = {
  failed: "the agent did not do what it must",
  errored: "infrastructure or judge, says nothing about the agent",
  scored: "every gate holds, a threshold is missed",
  passed: "",
  cancelled: "stopped before its end",
  skipped: "was not to run",
  missing: "planned, and nothing stored yet",
};

export interface GroupHandle {
  row(index: number): ScenarioRowForm | undefined;
  focus(index: number): void;
}

interface GroupProps {
  readonly runId: string;
  /** Absent where the rows are sorted across outcomes. */
  readonly group: Group | undefined;
  readonly path: string;
  readonly edition: number;
  readonly total: number;
  readonly open: boolean;
  readonly all: boolean;
  readonly toggle: () => void;
  readonly selected: number;
  readonly pick: (index: number) => void;
  readonly handle: (handle: GroupHandle | null) => void;
}

export function ScenarioGroup({ runId, group, path, edition, total, open, all, toggle, selected, pick, handle }: GroupProps): JSX.Element {
  const head = useRef<HTMLTableRowElement>(null);
  const links = useRef(new Map<number, HTMLElement>());
  const [wanted, setWanted] = useState(-1);
  const [from, to] = useWindow(head, total, all);
  const rows = useRows(open ? path : undefined, edition, [from, to]);
  useLayoutEffect(() => {
    handle({
      row: (index) => rows.at(index),
      focus(index) {
        const height = rowHeight();
        const top = (head.current?.getBoundingClientRect().bottom ?? 0) + index * height;
        // The bar on top, and a row of room.
        if (top < 60 + height) scrollBy(0, top - 60 - height);
        else if (top > innerHeight - 2 * height) scrollBy(0, top - innerHeight + 2 * height);
        const link = links.current.get(index);
        if (link === undefined) setWanted(index);
        else link.focus({ preventScroll: true });
      },
    });
    return () => handle(null);
  });
  useLayoutEffect(() => {
    const link = links.current.get(wanted);
    if (link === undefined) return;
    link.focus({ preventScroll: true });
    setWanted(-1);
  });
  const height = rowHeight();
  return (
    <tbody>
      <tr class={group === undefined ? "g g-none" : "g"} ref={head}>
        {group === undefined ? null : (
          <th colSpan={9} scope="rowgroup">
            <button type="button" aria-expanded={open} onClick={toggle}><Icon name="chev" class="ic-s tw" /><OutcomeMark outcome={group === "missing" ? "not_reached" : group} word={<b>{count(total)} {group === "missing" ? "not started" : wordOf(group)}</b>} /><span class="quiet">{MEANING[group]}</span></button>
          </th>
        )}
      </tr>
      {open && from > 0 ? <tr class="room" aria-hidden="true" style={{ height: `${from * height}px` }} /> : null}
      {open ? Array.from({ length: Math.max(0, to - from) }, (_, at) => {
        const index = from + at;
        return <Row key={index} runId={runId} row={rows.at(index)} at={index === selected} pick={() => pick(index)} own={(element) => { if (element === null) links.current.delete(index); else links.current.set(index, element); }} />;
      }) : null}
      {open && to < total ? <tr class="room" aria-hidden="true" style={{ height: `${(total - to) * height}px` }} /> : null}
    </tbody>
  );
}

interface RowProps {
  readonly runId: string;
  readonly row: ScenarioRowForm | undefined;
  readonly at: boolean;
  readonly pick: () => void;
  readonly own: (element: HTMLElement | null) => void;
}

function Row({ runId, row, at, pick, own }: RowProps): JSX.Element {
  if (row === undefined) return <tr class="row-later" aria-hidden="true"><td colSpan={9} /></tr>;
  const address = addressOf(["run", runId, row.i]);
  return (
    <tr data-href class={at ? "at" : ""} onClick={openRow(address)}>
      <td class="r-oc"><OutcomeMark outcome={row.o ?? "not_reached"} alone title={row.o === undefined ? "not started" : undefined} /></td>
      <td class="r-id cut"><a class="mono" ref={own} href={address} onFocus={pick}><Alien text={oneLine(row.i)} /></a></td>
      <td class="r-why cut mid"><Alien text={oneLine(row.w ?? "")} /></td>
      <td class="r-tr"><Strip outcomes={outcomesOf(row.t)} more={row.m} /></td>
      <td class="r-vs"><Was row={row} /></td>
      <td class="num mid r-cl">{row.k === undefined ? "" : `${row.k[0]}/${row.k[1]}`}</td>
      <td class="num quiet r-tu">{row.u === undefined ? "" : row.u[1]}</td>
      <td class="num r-se">{row.d === undefined ? "" : duration(row.d)}</td>
      <td class="num r-co">{row.c === undefined ? <span class="quiet">–</span> : dollars(row.c)}</td>
    </tr>
  );
}

function Was({ row: { b, o } }: { readonly row: ScenarioRowForm }): JSX.Element | null {
  if (b === undefined) return null;
  if (b === o) return <span class="quiet same">same</span>;
  return <span class="flip"><span class="quiet">was</span><OutcomeMark outcome={b} alone title={`was ${wordOf(b)}`} /></span>;
}
