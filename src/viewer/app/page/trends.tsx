// Owns the page of trends: the rate of a suite over time with its interval, cost and time below it, and the wall of scenarios.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { SuitesAnswer } from "../../answer/form.ts";
import type { TrendPoint, TrendsAnswer } from "../../answer/trends-form.ts";
import { useAnswer } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { Alien } from "../part/alien.tsx";
import { RateChart } from "../part/rate-chart.tsx";
import { SmallChart } from "../part/small-chart.tsx";
import { dollars, duration, percent, plural } from "../part/number.ts";
import { ProblemState } from "../part/problem.tsx";
import { CopyAddress, Empty, Loading } from "../part/small.tsx";
import { addressOf, go, queryText, setQuery } from "../route.ts";
import { copy } from "../say.ts";
import { Wall } from "./wall.tsx";
import { stepOf } from "../../answer/step.ts";

const RANGES = [["30d", "30 days"], ["90d", "90 days"], ["", "All"]] as const;

export function TrendsPage({ suite, query }: { readonly suite: string; readonly query: URLSearchParams }): JSX.Element {
  const suites = useAnswer<SuitesAnswer>("suites").value;
  const name = suite === "" ? suites?.suites[0]?.suite : suite;
  const [tag, scenario, branch, since] = ["tag", "scenario", "branch", "since"].map((each) => query.get(each) ?? undefined);
  const { value, problem } = useAnswer<TrendsAnswer>(name === undefined ? undefined : `trends/${stepOf(name)}?${queryText({ tag, scenario, branch, since })}`);
  useEffect(() => {
    document.title = `Trends · Entail`;
  }, []);
  useKeys({ y: () => void copy(location.href) });
  if (problem !== undefined) return <ProblemState problem={problem} parent="#/" parentName="All runs" />;
  if (value === undefined || name === undefined) return <><div class="head"><h1>Trends</h1></div><div class="sheet">{suites?.suites.length === 0 ? <Empty icon="clock" title="No run in this store"><p>Trends begin with the second run of a suite.</p></Empty> : <Loading rows={10} />}</div></>;
  const part = scenario === undefined ? (tag === undefined ? "" : `tag:${tag}`) : `scenario:${scenario}`;
  return (
    <>
      <div class="head">
        <h1>Trends</h1>
        <select class="pick" aria-label="Suite" value={name} onChange={(event) => go(addressOf(["trends", event.currentTarget.value]))}>{value.suites.map((each) => <option key={each} value={each}>{each}</option>)}</select>
        <select class="pick" aria-label="Part" value={part} onChange={(event) => { const to = event.currentTarget.value; setQuery({ tag: to.startsWith("tag:") ? to.slice(4) : undefined, scenario: undefined }); }}>
          <option value="">Whole suite</option>
          {value.tags.map((each) => <option key={each} value={`tag:${each}`}>{`tag: ${each}`}</option>)}
          {scenario === undefined ? null : <option value={part}>{`scenario: ${scenario}`}</option>}
        </select>
        <div class="end">
          {value.branches.length < 2 ? null : <select class="pick" aria-label="Branch" value={value.branch ?? ""} onChange={(event) => setQuery({ branch: event.currentTarget.value })}>{value.branches.map((each) => <option key={each} value={each}>{each}</option>)}</select>}
          <span class="seg" role="group" aria-label="Range">{RANGES.map(([range, label]) => <button key={range} type="button" aria-pressed={(since ?? "") === range} onClick={() => setQuery({ since: range || undefined })}>{label}</button>)}</span>
          <CopyAddress />
        </div>
      </div>
      {value.points.length === 0 && value.open.length === 0 ? <div class="sheet"><Empty icon="clock" title="No finished run in this range"><p>Runs that did not end, or broke as a whole, are in no trend.</p><button class="btn" type="button" onClick={() => setQuery({ since: undefined, tag: undefined, scenario: undefined, branch: undefined })}>Show all</button></Empty></div> : <Charts answer={value} />}
      {value.wallRuns.length === 0 ? null : <Wall answer={value} />}
    </>
  );
}

function Charts({ answer }: { readonly answer: TrendsAnswer }): JSX.Element {
  const { points, open, branch } = answer;
  const judged = points.filter(({ interval }) => interval !== undefined);
  const all = [...points, ...open];
  return (
    <>
      <section class="sheet pad tr-sheet" aria-labelledby="pr">
        <div class="sec-h"><h2 id="pr">Pass rate</h2><span class="quiet">with its 95% interval, {plural(judged.length, "run")}{branch === undefined ? "" : <> on <Alien text={branch} /></>}</span></div>
        {judged.length + open.length === 0 ? <p class="pad quiet">Nothing was judged in these runs.</p> : <RateChart answer={answer} />}
      </section>
      <div class="three">
        <Small name="Cost a scenario" note="all trials, agent and judge" points={points} open={open} series={[(point) => point.cost]} figure={dollars} absent="No run of these knows its cost." />
        <Small name="Time a scenario" note="median, and 95th percentile" points={points} open={open} series={[(point) => point.median, (point) => point.p95]} figure={duration} absent="No run of these knows its times." />
        <section class="sheet sm" aria-label="Errored scenarios"><figure><figcaption><b class="strong">Errored scenarios</b> <span class="quiet">not in the rate</span></figcaption><SmallChart kind="bars" points={all} series={[(point) => point.errored]} open={0} figure={String} label={`Errored scenarios by run: ${all.map(({ n, errored }) => `#${n} ${errored}`).join(", ")}`} /></figure></section>
      </div>
    </>
  );
}

interface SmallProps {
  readonly name: string;
  readonly note: string;
  readonly points: readonly TrendPoint[];
  readonly open: readonly TrendPoint[];
  readonly series: readonly ((point: TrendPoint) => number | undefined)[];
  readonly figure: (value: number) => string;
  readonly absent: string;
}

function Small({ name, note, points, open, series, figure, absent }: SmallProps): JSX.Element {
  const all = [...points, ...open];
  const known = all.filter((point) => series[0]?.(point) !== undefined);
  return (
    <section class="sheet sm" aria-label={name}>
      <figure>
        <figcaption><b class="strong">{name}</b> <span class="quiet">{note}</span></figcaption>
        {known.length === 0 ? <p class="quiet sm-none">{absent}</p> : <SmallChart kind="line" points={all} series={series} open={open.length} figure={figure} label={`${name} by run: ${known.map((point) => `#${point.n} ${figure(series[0]?.(point) ?? 0)}`).join(", ")}`} />}
      </figure>
    </section>
  );
}

export const rateWords = ({ passed, judged }: TrendPoint): string => (judged < 10 ? `${passed} of ${judged}` : percent(passed / judged));
