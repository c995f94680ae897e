// Owns the page of runs: did a suite get worse? One line a suite, then every run, with a filter that is part of the address.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunRow, RunsAnswer, SuiteRow, SuitesAnswer } from "../../answer/form.ts";
import { askOnce, useAnswer } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { Alien } from "../part/alien.tsx";
import { Icon, OutcomeMark, VerdictMark } from "../part/mark.tsx";
import { count, dollars, duration, plural } from "../part/number.ts";
import { ProblemState } from "../part/problem.tsx";
import { Progress, Rate, Spark } from "../part/rate.tsx";
import { Command, Empty, Kbd, Loading, Time, useNow } from "../part/small.tsx";
import { addressOf, go, queryText, setQuery } from "../route.ts";
import { say } from "../say.ts";
import { type Filter, filterOf, filterText } from "./run-filter.ts";
import { useList } from "./use-list.ts";

export function RunsPage({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const suites = useAnswer<SuitesAnswer>("suites");
  const filter = filterOf(query);
  const path = `runs?${queryText({ ...filter, limit: 50 })}`;
  const runs = useAnswer<RunsAnswer>(path);
  useEffect(() => {
    document.title = "Runs · Entail";
  }, []);
  if (suites.problem !== undefined && suites.value === undefined) return <ProblemState problem={suites.problem} parent="#/" parentName="Try again" />;
  if (suites.value === undefined) return <div class="sheet first"><Loading /></div>;
  if (suites.value.suites.length === 0) return <NoRuns url={suites.value.url} />;
  return (
    <>
      <Suites suites={suites.value.suites} />
      <Runs filter={filter} path={path} first={runs.value} suites={suites.value.suites.map(({ suite }) => suite)} />
    </>
  );
}

function NoRuns({ url }: { readonly url: string }): JSX.Element {
  return (
    <div class="sheet first">
      <Empty icon="folder" title="No run in this store" level={1}>
        <p>Runs appear here as they finish, trial by trial. This page looks at <code><Alien text={url} /></code>.</p>
        <Command text="npx entail run" />
        <p class="quiet">Already have reports?</p>
        <Command text="npx entail import report.json" />
      </Empty>
    </div>
  );
}

function Suites({ suites }: { readonly suites: readonly SuiteRow[] }): JSX.Element {
  const now = useNow();
  const accepted = suites.some(({ latest }) => latest.against?.baseline === true || latest.isBaseline === true);
  return (
    <section class="sec first" aria-labelledby="su">
      <div class="sec-h"><h1 id="su">Suites</h1><span class="quiet">latest run of each</span></div>
      <div class="sheet">
        <table class="tbl t-suites">
          <thead><tr><th class="u1" scope="col">Suite</th><th class="u2" scope="col">Verdict</th><th class="u3" scope="col">Pass rate, 95% interval</th><th class="u4" scope="col">{accepted ? "Against baseline" : "Against run before"}</th><th class="u5" scope="col">What changed</th><th class="u6" scope="col">Last 20 runs</th><th class="num u7" scope="col">Run</th><th class="num u8" scope="col">Started</th></tr></thead>
          <tbody>
            {suites.map(({ suite, latest, said, past }) => (
              <tr key={suite} data-href onClick={openRow(addressOf(["run", latest.id]))}>
                <td class="cut"><a href={addressOf(["run", latest.id])} class="strong"><Alien text={suite} /></a></td>
                <td><OutcomeMark outcome={latest.state} /></td>
                <td><RateCell row={latest} /></td>
                <td><AgainstCell row={latest} /></td>
                <td class="cut quiet"><Alien text={said} /></td>
                <td><a class="spark-a" href={addressOf(["trends", suite])} aria-label={`Trends of ${suite}`}><Spark past={past} bad={latest.against?.verdict === "regressed" || latest.state === "failed"} /></a></td>
                <td class="num quiet nowrap"><span class="mono">#{latest.n}</span></td>
                <td class="num quiet nowrap"><Time at={latest.at} now={now} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** A row opens where its link leads, unless something in it was pressed. */
export const openRow = (address: string) => (event: MouseEvent): void => {
  if (event.target instanceof Element && event.target.closest("a,button,input,label") === null) go(address);
};

function RateCell({ row }: { readonly row: RunRow }): JSX.Element {
  if (row.state === "running") {
    return <span class="rw"><Progress share={row.planned > 0 ? row.stored / row.planned : 0} label={`${row.stored} of ${row.planned} trials done`} /><span class="rate"><b>{count(row.stored)} of {count(row.planned)}</b><span class="ci">trials{row.left === undefined ? "" : `, ${duration(row.left)} left`}</span></span></span>;
  }
  if (row.state === "incomplete") return <span class="quiet">incomplete, {count(row.stored)} of {count(row.planned)} trials stored</span>;
  return row.rate === undefined ? <span class="quiet">nothing judged</span> : <Rate value={row.rate} reference={row.against?.rate} />;
}

function AgainstCell({ row }: { readonly row: RunRow }): JSX.Element | null {
  if (row.isBaseline === true) return <span class="vd vd-none"><Icon name="flag" /><span>baseline</span></span>;
  return row.against === undefined ? null : <span title={`${row.against.baseline ? "baseline" : "run before"} #${row.against.n}`}><VerdictMark verdict={row.against.verdict} /></span>;
}

interface RunsProps {
  readonly filter: Filter;
  readonly path: string;
  readonly first: RunsAnswer | undefined;
  readonly suites: readonly string[];
}

function Runs({ filter, path, first, suites }: RunsProps): JSX.Element {
  const now = useNow();
  const box = useRef<HTMLInputElement>(null);
  const [marks, setMarks] = useState<readonly RunRow[]>([]);
  const [more, setMore] = useState<{ readonly path: string; readonly runs: readonly RunRow[]; readonly next?: number | undefined }>({ path, runs: [] });
  const shown = more.path === path ? more : { path, runs: [], next: undefined };
  const rows = [...(first?.runs ?? []), ...shown.runs];
  const next = shown.runs.length > 0 ? shown.next : first?.next;
  const list = useList(rows.length, (at) => go(addressOf(["run", rows[at]?.id ?? ""])));
  const mark = (row: RunRow): void => setMarks((before) => (before.some(({ id }) => id === row.id) ? before.filter(({ id }) => id !== row.id) : [...before.slice(-1), row]));
  const compare = (): void => {
    const [a, b] = [...marks].sort((one, other) => one.n - other.n);
    if (a !== undefined && b !== undefined) go(addressOf(["compare", `${a.id}..${b.id}`]));
    else say("Mark two runs to compare");
  };
  useKeys({
    ...list.keys,
    "/": () => box.current?.focus(),
    x: () => {
      const row = rows[list.at];
      if (row !== undefined) mark(row);
    },
    c: compare,
    f: () => setQuery({ verdict: filter.verdict === "failed" ? undefined : "failed" }),
  });
  const loadMore = (): void => {
    if (next === undefined) return;
    void askOnce<RunsAnswer>(`${path}&before=${next}`).then((page) => setMore({ path, runs: [...shown.runs, ...page.runs], next: page.next }));
  };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <section class="sec" aria-labelledby="ru">
      <div class="sec-h"><h2 id="ru">Runs</h2><span class="quiet">{first === undefined ? "" : `${plural(rows.length, "run")}${next === undefined ? "" : ", older ones below"}`}</span><span class="end quiet only-wide"><Kbd>x</Kbd> mark &nbsp; <Kbd>c</Kbd> compare marked</span></div>
      <div class="bar-row filter">
        <label class="field grow"><Icon name="search" /><input ref={box} type="search" placeholder="Filter: suite:chat verdict:failed branch:main, or any word" aria-label="Filter runs" value={filterText(filter, ["suite", "verdict"])} onInput={(event) => setQuery({ ...EMPTY, suite: filter.suite, verdict: filter.verdict, ...filterOf(event.currentTarget.value) })} /><Kbd>/</Kbd></label>
        <select class="pick" aria-label="Suite" value={filter.suite ?? ""} onChange={(event) => setQuery({ suite: event.currentTarget.value || undefined })}><option value="">All suites</option>{suites.map((suite) => <option key={suite} value={suite}>{suite}</option>)}</select>
        <select class="pick" aria-label="Verdict" value={filter.verdict ?? ""} onChange={(event) => setQuery({ verdict: event.currentTarget.value || undefined })}><option value="">Any verdict</option>{["passed", "scored", "failed", "errored", "cancelled", "running", "incomplete"].map((verdict) => <option key={verdict} value={verdict}>{verdict}</option>)}</select>
        <button class={marks.length === 2 ? "btn btn-1" : "btn"} type="button" aria-disabled={marks.length < 2} onClick={compare}>{marks.length < 2 ? "Mark 2 to compare" : "Compare 2"} <Kbd>c</Kbd></button>
      </div>
      <div class="sheet">
        {first === undefined ? <Loading rows={8} /> : rows.length === 0 ? <NoMatch clear={() => setQuery(EMPTY)} /> : (
          <table class="tbl t-runs">
            <thead><tr><th class="c-x" scope="col"><span class="vh">Mark</span></th><th class="c-run" scope="col">Run</th><th class="c-v" scope="col">Verdict</th><th class="c-rate" scope="col">Pass rate, 95% interval</th><th class="num c-n" scope="col">Passed</th><th class="c-vs" scope="col">Against</th><th class="c-note" scope="col">Branch and note</th><th class="num c-cost" scope="col">Cost</th><th class="num c-time" scope="col">Time</th><th class="num c-when" scope="col">Started</th></tr></thead>
            <tbody>
              {rows.map((row, at) => <Row key={row.id} row={row} now={now} at={at === list.at} own={list.row(at)} marked={marks.some(({ id }) => id === row.id)} mark={() => mark(row)} />)}
            </tbody>
          </table>
        )}
      </div>
      {next === undefined ? null : <p class="foot"><button class="btn" type="button" onClick={loadMore}>Older runs</button></p>}
      {isFiltered || first === undefined ? null : <p class="quiet foot">A rate is passed of judged scenarios; what errored, was cancelled or skipped is in neither. The blue line is the run it is held against.</p>}
    </section>
  );
}

const EMPTY = { suite: undefined, verdict: undefined, branch: undefined, tag: undefined, since: undefined, q: undefined } as const;

function NoMatch({ clear }: { readonly clear: () => void }): JSX.Element {
  return <Empty icon="search" title="No run matches" level={3}><p>Words are looked for in suite, number, branch, note and commit.</p><button class="btn" type="button" onClick={clear}>Show all</button></Empty>;
}

function Row({ row, now, at, own, marked, mark }: { readonly row: RunRow; readonly now: number; readonly at: boolean; readonly own: (element: HTMLElement | null) => void; readonly marked: boolean; readonly mark: () => void }): JSX.Element {
  const address = addressOf(["run", row.id]);
  return (
    <tr data-href class={at ? "at" : ""} onClick={openRow(address)}>
      <td class="c-x"><input class="tick" type="checkbox" checked={marked} aria-label={`Mark ${row.suite} #${row.n}`} onChange={mark} /></td>
      <td class="nowrap c-run cut"><a ref={own} href={address}><span class="strong"><Alien text={row.suite} /></span> <span class="mono quiet">#{row.n}</span></a></td>
      <td class="c-v"><OutcomeMark outcome={row.state} /></td>
      <td class="c-rate"><RateCell row={row} /></td>
      <td class="num quiet c-n nowrap">{row.rate === undefined ? "" : `${row.rate.passed}/${row.rate.judged}`}</td>
      <td class="c-vs"><AgainstCell row={row} /></td>
      <td class="cut c-note"><span class="mono mid"><Alien text={row.branch ?? ""} /></span>{row.dirty === true ? <span class="quiet" title="the work tree differed from its commit"> +</span> : null} <span class="quiet"><Alien text={row.error ?? row.note ?? ""} /></span></td>
      <td class="num c-cost">{row.cost === undefined ? <span class="quiet">–</span> : dollars(row.cost)}</td>
      <td class="num quiet c-time nowrap">{duration(row.ms)}</td>
      <td class="num quiet nowrap c-when"><Time at={row.at} now={now} /></td>
    </tr>
  );
}
