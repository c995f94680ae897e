// Owns the list of a run's scenarios: a bar and chips of the outcomes, groups that fold, search, sort, keys, and the peek.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Outcome } from "../../../core/outcome.ts";
import type { Counts, RunAnswer, ScenarioRowForm, ScenariosAnswer } from "../../answer/form.ts";
import { useAnswer } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { Icon, OutcomeMark, wordOf } from "../part/mark.tsx";
import { count } from "../part/number.ts";
import { Empty, Kbd, Loading } from "../part/small.tsx";
import { addressOf, go, queryText, setQuery } from "../route.ts";
import { say } from "../say.ts";
import { rememberList } from "./list-context.ts";
import { Peek } from "./peek.tsx";
import { type Group, GROUPS as ORDER } from "./group.ts";
import { runPath } from "./paths.ts";
import { ScenarioGroup, type GroupHandle } from "./scenario-group.tsx";
import { ALL_ROWS } from "./use-window.ts";

const SORTS = [["", "By outcome"], ["flaky", "Flakiest first"], ["cost", "Dearest first"], ["duration", "Slowest first"], ["position", "As declared"]] as const;
const PROBLEMS = "failed,errored,scored";

export function ScenarioList({ run, query, tags }: { readonly run: RunAnswer; readonly query: URLSearchParams; readonly tags: readonly string[] }): JSX.Element {
  const box = useRef<HTMLInputElement>(null);
  const handles = useRef(new Map<string, GroupHandle>());
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set(["passed", "missing"]));
  const [selected, setSelected] = useState<{ readonly group: string; readonly index: number } | undefined>(undefined);
  const [peek, setPeek] = useState(false);
  const [outcome, sort, typed, tag] = ["outcome", "sort", "q", "tag"].map((name) => query.get(name) ?? "") as [string, string, string, string];
  const search = useSettled(typed, 150);
  const narrowed = search !== "" || tag !== "";
  const edition = useEdition(run, selected !== undefined);
  const base = `${runPath(run.id)}/scenarios?${queryText({ q: search, tag })}`;
  const { counts } = edition;
  const shown = ORDER.filter((group) => (outcome === "" || outcome.split(",").includes(group)) && counts[group] > 0);
  // What is looked for, or sorted across outcomes, stands in one list: it is one question to the store.
  const flat = narrowed || sort !== "";
  const found = useAnswer<ScenariosAnswer>(flat ? `${base}&${queryText({ outcome, sort })}&n=1&edition=${edition.shown}` : undefined, true).value?.total;
  const isOpen = (group: Group): boolean => !folded.has(group) || outcome !== "";
  const total = flat ? (found ?? 0) : shown.reduce((sum, group) => sum + (isOpen(group) ? counts[group] : 0), 0);
  const all = total <= ALL_ROWS;
  const lists = flat ? [{ key: "flat", path: `${base}&${queryText({ outcome, sort })}`, total, open: true }] : shown.map((group) => ({ key: group, path: `${base}&outcome=${group}`, total: counts[group], open: isOpen(group) }));

  const rowAt = (): ScenarioRowForm | undefined => (selected === undefined ? undefined : handles.current.get(selected.group)?.row(selected.index));
  const select = (step: number): void => {
    const open = lists.filter((list) => list.open && list.total > 0);
    if (open.length === 0) return;
    let at = open.findIndex(({ key }) => key === selected?.group);
    let index = at === -1 ? (step > 0 ? 0 : -1) : (selected?.index ?? 0) + step;
    if (at === -1) at = 0;
    const list = open[at];
    if (list !== undefined && index >= list.total && at + 1 < open.length) [at, index] = [at + 1, 0];
    else if (index < 0 && at > 0) [at, index] = [at - 1, (open[at - 1]?.total ?? 1) - 1];
    const to = open[at];
    if (to === undefined) return;
    const place = { group: to.key, index: Math.max(0, Math.min(to.total - 1, index)) };
    setSelected(place);
    handles.current.get(place.group)?.focus(place.index);
  };
  const open = (row: ScenarioRowForm | undefined): void => {
    if (row === undefined) return;
    go(addressOf(["run", run.id, row.i]));
  };
  useEffect(() => {
    const current = lists.find(({ key }) => key === selected?.group);
    rememberList(run.id, { query: queryText({ outcome: outcome === "" && current !== undefined && !flat ? current.key : outcome, sort, q: search, tag }), name: nameOf(outcome === "" ? current?.key : outcome) });
  });
  useKeys({
    j: () => select(1),
    k: () => select(-1),
    ArrowDown: () => select(1),
    ArrowUp: () => select(-1),
    Enter: edition.waiting > 0 && selected === undefined ? edition.show : rowAt() === undefined ? undefined : () => open(rowAt()),
    " ": () => {
      if (selected === undefined) select(1);
      setPeek(!peek);
    },
    Escape: peek ? () => setPeek(false) : undefined,
    "/": () => box.current?.focus(),
    f: () => setQuery({ outcome: outcome === PROBLEMS ? undefined : PROBLEMS }),
  });
  const toggle = (group: string): void => setFolded((before) => new Set(before.has(group) ? [...before].filter((each) => each !== group) : [...before, group]));
  return (
    <section class="sec" aria-labelledby="sc">
      <h2 class="vh" id="sc">Scenarios</h2>
      <ShareBar counts={run.counts} />
      <div class="bar-row filter tools">
        <div class="chips" role="group" aria-label="Outcome">
          {ORDER.filter((group) => group !== "missing" || run.counts.missing > 0).map((group) => <Chip key={group} group={group} count={run.counts[group]} pressed={outcome.split(",").includes(group)} press={() => setQuery({ outcome: outcome === group ? undefined : group })} />)}
        </div>
        <span class="push" />
        <label class="field w220"><Icon name="search" /><input ref={box} type="search" placeholder="Scenario, tag or reason" aria-label="Filter scenarios" value={typed} onInput={(event) => setQuery({ q: event.currentTarget.value || undefined })} /><Kbd>/</Kbd></label>
        {tags.length === 0 ? null : <select class="pick" aria-label="Tag" value={tag} onChange={(event) => setQuery({ tag: event.currentTarget.value || undefined })}><option value="">Any tag</option>{tags.map((each) => <option key={each} value={each}>{each}</option>)}</select>}
        <select class="pick" aria-label="Sort" value={sort} onChange={(event) => setQuery({ sort: event.currentTarget.value || undefined })}>{SORTS.map(([value, name]) => <option key={value} value={value}>{name}</option>)}</select>
      </div>
      {edition.waiting > 0 ? <p class="new-rows"><button class="btn btn-1" type="button" onClick={edition.show}>{count(edition.waiting)} new {edition.waiting === 1 ? "result" : "results"} <Kbd>↵</Kbd></button></p> : null}
      <div class="sheet">
        {flat && found === undefined ? <Loading rows={4} /> : lists.every(({ total: rows }) => rows === 0) ? <NoScenario search={search} tag={tag} scenarios={run.scenarios} /> : (
          <table class={`tbl t-sc ${all ? "" : "windowed"}`} aria-rowcount={total + lists.length + 1}>
            <thead><tr><th class="r-oc" scope="col"><span class="vh">Outcome</span></th><th class="r-id" scope="col">Scenario</th><th class="r-why" scope="col">First reason</th><th class="r-tr" scope="col">Trials</th><th class="r-vs" scope="col">{run.against?.baseline === false ? `In #${run.against.n}` : "Baseline"}</th><th class="num r-cl" scope="col">Claims</th><th class="num r-tu" scope="col">Turns</th><th class="num r-se" scope="col">Time</th><th class="num r-co" scope="col">Cost</th></tr></thead>
            {lists.map(({ key, path, total: rows, open: isOpen }) => (
              <ScenarioGroup key={`${key} ${run.id}`} runId={run.id} group={flat ? undefined : (key as Group)} path={path} edition={edition.shown} total={rows} open={isOpen} all={all} toggle={() => toggle(key)} selected={selected?.group === key ? selected.index : -1} pick={(index) => setSelected({ group: key, index })} handle={(handle) => { if (handle === null) handles.current.delete(key); else handles.current.set(key, handle); }} />
            ))}
          </table>
        )}
      </div>
      {peek && rowAt() !== undefined ? <Peek run={run.id} row={rowAt()} close={() => setPeek(false)} /> : null}
    </section>
  );
}

const nameOf = (outcome: string | undefined): string => (outcome === undefined || outcome === "" || outcome === "flat" ? "" : outcome.split(",").map(wordOf).join(" or "));

/** The value once it has been the same for so long. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return undefined;
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, settled, ms]);
  return settled;
}

/**
 * Rows are read again when results have come in: at once while the list stands at its top and nothing is selected, else behind a button, so that
 * nothing that is read moves.
 */
function useEdition(run: RunAnswer, reading: boolean): { readonly shown: number; readonly counts: Counts; readonly waiting: number; readonly show: () => void } {
  const [held, setHeld] = useState({ stored: run.stored, counts: run.counts });
  const latest = useRef(held);
  latest.current = { stored: run.stored, counts: run.counts };
  useEffect(() => {
    if (run.stored !== held.stored && ((scrollY < 80 && !reading) || held.stored === 0)) setHeld(latest.current);
  }, [run.stored, held, reading]);
  // A run that has ended shows what it came to, without being asked.
  const counts = run.state === "running" ? held.counts : run.counts;
  return {
    shown: run.state === "running" ? held.stored : run.stored,
    counts,
    waiting: run.state === "running" ? Math.max(0, run.stored - held.stored) : 0,
    show: () => {
      setHeld(latest.current);
      say("New results are shown");
    },
  };
}

function ShareBar({ counts }: { readonly counts: Counts }): JSX.Element {
  const parts = ORDER.map((group) => ({ group, n: counts[group] })).filter(({ n }) => n > 0);
  const all = parts.reduce((total, { n }) => total + n, 0);
  let x = 0;
  return (
    <svg class="share" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">
      {parts.map(({ group, n }) => {
        const width = Math.max(3, (n / all) * 1000 - 1);
        const from = x;
        x += (n / all) * 1000;
        return <rect key={group} class={`sh-${group}`} x={from} y="0" width={width} height="6" />;
      })}
    </svg>
  );
}

function Chip({ group, count: n, pressed, press }: { readonly group: Group; readonly count: number; readonly pressed: boolean; readonly press: () => void }): JSX.Element {
  const shown: Outcome | "not_reached" = group === "missing" ? "not_reached" : group;
  return <button class="chip" type="button" aria-pressed={pressed} data-n={n} onClick={press}><OutcomeMark outcome={shown} word={<><b>{count(n)}</b> {group === "missing" ? "not started" : wordOf(group)}</>} /></button>;
}

function NoScenario({ search, tag, scenarios }: { readonly search: string; readonly tag: string; readonly scenarios: number }): JSX.Element {
  return (
    <Empty icon="search" title={search === "" && tag === "" ? "No scenario has this outcome" : `No scenario matches “${search || tag}”`} level={3}>
      <p>Scenarios are found by id, tag and first reason.</p>
      <button class="btn" type="button" onClick={() => setQuery({ q: undefined, tag: undefined, outcome: undefined })}>Show all {count(scenarios)}</button>
    </Empty>
  );
}
