// Owns the page that holds two runs against each other: worse or not, and how sure? The verdict in words first, then what flipped.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ChangeForm, CompareAnswer, ComparedRun } from "../../answer/compare-form.ts";
import type { RunsAnswer } from "../../answer/form.ts";
import { useAnswer } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { Alien } from "../part/alien.tsx";
import { Icon, OutcomeMark, VerdictMark } from "../part/mark.tsx";
import { count, dollars, duration, plural, points } from "../part/number.ts";
import { ProblemState } from "../part/problem.tsx";
import { CopyAddress, Loading } from "../part/small.tsx";
import { addressOf, go } from "../route.ts";
import { copy } from "../say.ts";
import { Change } from "./change.tsx";
import { ComparisonVerdictSheet } from "./comparison-verdict.tsx";
import { stepOf } from "../../answer/step.ts";

export function ComparePage({ pair, query }: { readonly pair: string; readonly query: URLSearchParams }): JSX.Element {
  const path = `compare/${stepOf(pair === "" ? "baseline..last" : pair)}`;
  const { value, problem } = useAnswer<CompareAnswer>(path, true);
  const [words, setWords] = useState(true);
  useEffect(() => {
    document.title = "Compare · Entail";
  }, []);
  const swap = (): void => {
    if (value !== undefined) go(addressOf(["compare", `${value.runs[1].id}..${value.runs[0].id}`]));
  };
  useKeys({ y: () => void copy(location.href) });
  if (problem !== undefined) return <><div class="head"><h1>Compare</h1></div><ProblemState problem={problem} parent="#/" parentName="Pick two runs" /></>;
  if (value === undefined) return <><div class="head"><h1>Compare</h1></div><div class="sheet" key="loading"><Loading rows={10} /></div></>;
  const shown = query.get("scenario");
  return (
    <>
      <div class="head">
        <h1>Compare</h1>
        <span class="ab">
          <Picker label="Before" run={value.runs[0]} pick={(id) => go(addressOf(["compare", `${id}..${value.runs[1].id}`]))} baseline={value.baseline} />
          <button class="icon-btn" type="button" aria-label="Swap the two runs" title="Swap" onClick={swap}><Icon name="swap" /></button>
          <Picker label="After" run={value.runs[1]} pick={(id) => go(addressOf(["compare", `${value.runs[0].id}..${id}`]))} baseline={false} />
        </span>
        <div class="end"><button class="btn" type="button" onClick={() => void copy(markdownOf(value))}><Icon name="copy" />Copy as Markdown</button><CopyAddress /></div>
      </div>
      <ComparisonVerdictSheet answer={value} />
      {value.counts.gotWorse === 0 ? null : (
        <section class="sec" aria-labelledby="fw">
          <div class="sec-h"><h2 id="fw"><VerdictMark verdict="regressed" word={<b class="strong">{count(value.counts.gotWorse)} got worse</b>} /></h2><span class="end"><Toggle words={words} set={setWords} /></span></div>
          <Changes changes={value.gotWorse} total={value.counts.gotWorse} words={words} shown={shown} openFirst path={path} />
        </section>
      )}
      {value.counts.gotBetter === 0 ? null : (
        <section class="sec" aria-labelledby="fb">
          <div class="sec-h"><h2 id="fb"><VerdictMark verdict="improved" word={<b class="strong inkk">{count(value.counts.gotBetter)} got better</b>} /></h2>{value.counts.gotWorse === 0 ? <span class="end"><Toggle words={words} set={setWords} /></span> : null}</div>
          <Changes changes={value.gotBetter} total={value.counts.gotBetter} words={words} shown={shown} openFirst={value.counts.gotWorse === 0} path={path} />
        </section>
      )}
      {value.counts.alsoChanged === 0 ? null : (
        <section class="sec" aria-labelledby="fs">
          <div class="sec-h"><h2 id="fs">{count(value.counts.alsoChanged)} changed inside</h2><span class="quiet">their pass rate stayed</span></div>
          <Changes changes={value.alsoChanged} total={value.counts.alsoChanged} words={words} shown={shown} openFirst={false} path={path} />
        </section>
      )}
      <div class="two">
        <Measures answer={value} />
        <NotCompared answer={value} />
      </div>
      <Unchanged answer={value} />
    </>
  );
}

function Toggle({ words, set }: { readonly words: boolean; readonly set: (words: boolean) => void }): JSX.Element {
  return <span class="seg" role="group" aria-label="Outputs"><button type="button" aria-pressed={words} onClick={() => set(true)}>Words that differ</button><button type="button" aria-pressed={!words} onClick={() => set(false)}>Plain</button></span>;
}

function Picker({ label, run, pick, baseline }: { readonly label: string; readonly run: ComparedRun; readonly pick: (id: string) => void; readonly baseline: boolean }): JSX.Element {
  const others = useAnswer<RunsAnswer>(`runs?suite=${stepOf(run.suite)}&limit=100`).value?.runs ?? [];
  const name = (each: { readonly n: number; readonly suite: string; readonly branch?: string | undefined }): string => [`${each.suite} #${each.n}`, each.branch].filter(Boolean).join(", ");
  return (
    <select class="pick" aria-label={label} value={run.id} onChange={(event) => pick(event.currentTarget.value)}>
      {others.some(({ id }) => id === run.id) ? null : <option value={run.id}>{name(run)}</option>}
      {others.map((each) => <option key={each.id} value={each.id}>{name(each) + (baseline && each.id === run.id ? ", baseline" : "")}</option>)}
    </select>
  );
}

interface ChangesProps {
  readonly changes: readonly ChangeForm[];
  readonly total: number;
  readonly words: boolean;
  readonly shown: string | null;
  readonly openFirst: boolean;
  readonly path: string;
}

function Changes({ changes, total, words, shown, openFirst, path }: ChangesProps): JSX.Element {
  return (
    <div class="sheet fls">
      {changes.map((change, at) => <Change key={change.id} change={change} words={words} open={shown === null ? openFirst && at === 0 : shown === change.id} aimed={shown === change.id} path={path} />)}
      {total > changes.length ? <p class="pad quiet">and {count(total - changes.length)} more, in the report</p> : null}
    </div>
  );
}

const MEASURES = { cost: "Cost", duration: "Time", tokens: "Tokens", tool_calls: "Tool calls", score: "Score" } as const;

/** What else changed: cost, time, tokens, calls, scores. Fewer than five scenarios say nothing of the spread. */
function Measures({ answer: { measures } }: { readonly answer: CompareAnswer }): JSX.Element | null {
  if (measures.length === 0) return null;
  const figure = (measure: keyof typeof MEASURES, value: number): string => (measure === "cost" ? dollars(value) : measure === "duration" ? duration(value) : measure === "score" ? value.toFixed(2) : count(Math.round(value * 10) / 10));
  return (
    <section class="sec" aria-labelledby="al">
      <div class="sec-h"><h2 id="al">Also changed</h2><span class="quiet">a scenario, mean</span></div>
      <div class="sheet scroll" tabIndex={0} role="region" aria-label="Table: also changed">
        <table class="tbl t-also">
          <thead><tr><th scope="col">What</th><th class="num" scope="col">Before</th><th class="num" scope="col">After</th><th class="num a-d" scope="col">Change, 95%</th><th class="a-x" scope="col"><span class="a-ax"><span>−50%</span><span>0</span><span>+50%</span></span></th></tr></thead>
          <tbody>
            {measures.map(({ measure, name, before, after, change, interval }) => (
              <tr key={`${measure} ${name ?? ""}`}>
                <td class="cut">{name === undefined ? MEASURES[measure] : <span class="mono"><Alien text={name} /></span>}</td>
                <td class="num mid">{figure(measure, before)}</td>
                <td class="num">{figure(measure, after)}</td>
                <td class="num nowrap">{change === null ? "–" : measure === "score" ? `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(2)}` : `${points(change)}%`} <span class="quiet">{interval === undefined ? "" : measure === "score" ? "" : `${points(interval[0])} to ${points(interval[1])}`}</span></td>
                <td class="a-x">{change === null || measure === "score" ? null : <ChangeAxis change={change} interval={interval} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ChangeAxis({ change, interval }: { readonly change: number; readonly interval: readonly [number, number] | undefined }): JSX.Element {
  const x = (share: number): number => 80 + Math.max(-0.5, Math.min(0.5, share)) * 150;
  return (
    <svg class="chart also" viewBox="0 0 160 20" aria-hidden="true">
      <path class="grid" d="M5 10H155M5 6v8M155 6v8" /><path class="zero" d="M80 2v16" />
      {interval === undefined ? null : <path class="wl" d={`M${x(interval[0]).toFixed(1)} 10H${x(interval[1]).toFixed(1)}`} />}
      <circle class="wd" cx={x(change).toFixed(1)} cy="10" r="3.5" />
    </svg>
  );
}

/** Each by its name, with its reason. */
function NotCompared({ answer }: { readonly answer: CompareAnswer }): JSX.Element | null {
  const rows = [
    ...answer.notCompared.map((each) => ({ id: each.id, before: each.before, after: each.after, reason: each.reason })),
    ...answer.missing.map((each) => ({ id: each.id, before: each.outcome, after: undefined, reason: "the second run does not have it" })),
    ...answer.new.map((each) => ({ id: each.id, before: undefined, after: each.outcome, reason: "new" })),
  ];
  if (rows.length === 0) return null;
  return (
    <section class="sec" aria-labelledby="nc">
      <div class="sec-h"><h2 id="nc">Not compared</h2><span class="quiet">{plural(answer.counts.notCompared + answer.counts.missing + answer.counts.new, "scenario")}, in no rate above</span></div>
      <div class="sheet scroll" tabIndex={0} role="region" aria-label="Table: not compared">
        <table class="tbl t-left">
          <thead><tr><th scope="col">Scenario</th><th class="l-o" scope="col">Before</th><th class="l-o" scope="col">After</th><th scope="col">Why</th></tr></thead>
          <tbody>{rows.map((row) => <tr key={`${row.id} ${row.reason}`}><td class="mono cut"><Alien text={row.id} /></td><td>{row.before === undefined ? <span class="quiet">–</span> : <OutcomeMark outcome={row.before} />}</td><td>{row.after === undefined ? <span class="quiet">–</span> : <OutcomeMark outcome={row.after} />}</td><td class="cut quiet"><Alien text={row.reason} /></td></tr>)}</tbody>
        </table>
      </div>
    </section>
  );
}

function Unchanged({ answer }: { readonly answer: CompareAnswer }): JSX.Element | null {
  if (answer.counts.unchanged === 0) return null;
  return (
    <section class="sec">
      <details class="sheet">
        <summary class="pad"><Icon name="chev" class="ic-s tw" /> <b class="strong">{count(answer.counts.unchanged)} unchanged</b> <span class="quiet">in outcome, claims, checks and scores</span></summary>
        <p class="pad ids">{answer.unchanged.map(({ id }) => <a key={id} class="mono mid" href={addressOf(["run", answer.runs[1].id, id])}><Alien text={id} /></a>)}{answer.counts.unchanged > answer.unchanged.length ? <span class="quiet">and {count(answer.counts.unchanged - answer.unchanged.length)} more</span> : null}</p>
      </details>
    </section>
  );
}

/** For a comment: the verdict, then the flips, each of them short. */
export function markdownOf({ words, runs, gotWorse, gotBetter, counts }: CompareAnswer): string {
  const code = (text: string): string => `\`${text.replaceAll(/[`\r\n|]/g, " ")}\``;
  const list = (name: string, changes: readonly ChangeForm[], total: number): string[] => (total === 0 ? [] : ["", `**${total} ${name}**`, "", ...changes.slice(0, 20).map(({ id, before, after, flips }) => `- ${code(id)}: ${before.outcome} → ${after.outcome}${flips[0] === undefined ? "" : `, ${flips[0].kind} ${code(flips[0].id)}`}`), ...(total > 20 ? [`- and ${total - 20} more`] : [])]);
  return [`### ${runs[0].suite}: #${runs[0].n} → #${runs[1].n}`, "", ...words, ...list("got worse", gotWorse, counts.gotWorse), ...list("got better", gotBetter, counts.gotBetter)].join("\n");
}
