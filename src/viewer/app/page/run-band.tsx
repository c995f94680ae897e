// Owns the summary of a run: its verdict with one honest sentence, and six facts.

import type { ComponentChildren, JSX } from "preact";
import type { Counts, RunAnswer, RunFacts } from "../../answer/form.ts";
import { Alien } from "../part/alien.tsx";
import { CheckMark, Icon, LabelMark, OutcomeMark, VerdictMark } from "../part/mark.tsx";
import { count, dollars, duration, percent, percentRange, plural, points } from "../part/number.ts";
import { Whisker } from "../part/rate.tsx";
import { Command } from "../part/small.tsx";
import { addressOf } from "../route.ts";

const TITLES = { passed: "Passed", scored: "Scored", failed: "Failed", errored: "Errored", cancelled: "Cancelled", skipped: "Skipped", running: "Running", incomplete: "Incomplete" } as const;

export function RunBand({ run, facts }: { readonly run: RunAnswer; readonly facts: RunFacts | undefined }): JSX.Element {
  const { state } = run;
  if (run.error !== undefined) return <BrokenBand run={run} />;
  return (
    <section class="sheet band" aria-label="Summary">
      <div class="band-v">
        <div class={`verdict oc-${state === "incomplete" ? "cancelled" : state}`}><Icon name={state === "incomplete" ? "o-cancelled" : `o-${state}`} class={state === "running" ? "spin" : ""} /><span>{TITLES[state]}</span></div>
        <p>{sentenceOf(run)}</p>
        {state === "incomplete" ? <Command text={`npx entail resume ${run.n}`} /> : null}
      </div>
      <dl class="facts">
        <Fact name="Pass rate"><RateFact run={run} /></Fact>
        <Fact name={run.against === undefined ? "Against baseline" : `Against ${run.against.baseline ? "baseline" : "run before"} #${run.against.n}`}><AgainstFact run={run} /></Fact>
        <Fact name={facts?.claims?.corrected === undefined ? "Claims held" : "Claims held, corrected"}><ClaimsFact facts={facts} /></Fact>
        <Fact name="Judge"><JudgeFact run={run} /></Fact>
        <Fact name="Cost"><CostFact run={run} /></Fact>
        <Fact name="Time"><TimeFact run={run} facts={facts} /></Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): JSX.Element {
  return <div><dt>{name}</dt>{children}</div>;
}

/** What happened, without counting as the agent's what is not. */
export function sentenceOf({ counts, scenarios, state, stored, planned, left }: Pick<RunAnswer, "counts" | "scenarios" | "state" | "stored" | "planned" | "left">): string {
  if (state === "running") return `${count(stored)} of ${plural(planned, "trial")} done${left === undefined ? "" : `, about ${duration(left)} left`}. ${soFar(counts)}`;
  if (state === "incomplete") return `${count(stored)} of ${plural(planned, "trial")} are stored. The rate is not shown: ${count(planned - stored)} missing trials make the run incomplete, not smaller.`;
  const said: string[] = [];
  if (counts.failed > 0) said.push(`${count(counts.failed)} of ${plural(scenarios, "scenario")} failed.`);
  const aside = [
    counts.errored > 0 ? `${count(counts.errored)} errored and ${counts.errored === 1 ? "says" : "say"} nothing about the agent` : "",
    counts.cancelled > 0 ? `${count(counts.cancelled)} ${counts.cancelled === 1 ? "was" : "were"} stopped` : "",
    counts.skipped > 0 ? `${count(counts.skipped)} ${counts.skipped === 1 ? "was" : "were"} not to run` : "",
    counts.missing > 0 ? `${count(counts.missing)} ${counts.missing === 1 ? "was" : "were"} never started` : "",
  ].filter(Boolean);
  if (aside.length > 0) said.push(`${aside.join(", ")}.`);
  if (counts.failed === 0 && counts.scored > 0) said.push(`${count(counts.scored)} missed a threshold.`);
  if (said.length === 0) said.push(counts.passed === scenarios ? `All ${plural(scenarios, "scenario")} passed.` : `${count(counts.passed)} of ${plural(scenarios, "scenario")} passed.`);
  return said.join(" ");
}

function soFar(counts: Counts): string {
  const worst = (["failed", "errored", "scored"] as const).filter((outcome) => counts[outcome] > 0).map((outcome) => `${count(counts[outcome])} ${outcome}`);
  return worst.length === 0 ? "Nothing failed so far." : `So far ${worst.join(", ")}.`;
}

function RateFact({ run }: { readonly run: RunAnswer }): JSX.Element {
  const { rate, against, trials } = run;
  if (rate === undefined) return <><dd class="big quiet">–</dd><dd class="quiet">{run.state === "running" || run.state === "incomplete" ? "shown once it is whole" : "nothing was judged"}</dd></>;
  return (
    <>
      <dd class="big">{rate.judged < 10 ? `${rate.passed} of ${rate.judged}` : percent(rate.rate)}</dd>
      <dd class="fx"><Whisker rate={rate.rate} interval={rate.interval} reference={against?.rate} /><span class="ci">{percentRange(rate.interval)}</span></dd>
      <dd class="quiet">{count(rate.passed)} of {count(rate.judged)} judged{trials !== undefined && trials > 1 ? `, ${trials} trials each` : ""}</dd>
    </>
  );
}

function AgainstFact({ run: { against, isBaseline, state, reference, id, error } }: { readonly run: RunAnswer }): JSX.Element {
  if (isBaseline === true) return <><dd class="big"><span class="vd vd-none"><Icon name="flag" /><span>is the baseline</span></span></dd><dd class="quiet">others are held against it</dd></>;
  if (against === undefined && reference !== undefined && error === undefined && state !== "running" && state !== "incomplete") return <><dd class="big"><a class="link" href={addressOf(["compare", `${reference.id}..${id}`])}>compare</a></dd><dd class="quiet">with {reference.baseline ? "baseline " : ""}#{reference.n}, scenario by scenario</dd></>;
  if (against === undefined) return <><dd class="big quiet">–</dd><dd class="quiet">{state === "running" ? "once it is whole" : "nothing to hold it against"}</dd></>;
  const { difference, interval } = against;
  return (
    <>
      <dd class="big"><VerdictMark verdict={against.verdict} /></dd>
      <dd class="mid">{difference === undefined ? "nothing in common" : difference === 0 ? "no point of difference" : `${points(Math.abs(difference)).slice(1)} points ${difference < 0 ? "lower" : "higher"}`}</dd>
      <dd class="quiet">{interval === undefined ? "" : `95%: ${points(interval[0])} to ${points(interval[1])}`}</dd>
    </>
  );
}

function ClaimsFact({ facts }: { readonly facts: RunFacts | undefined }): JSX.Element {
  const claims = facts?.claims;
  if (claims === undefined) return <><dd class="big quiet">–</dd><dd class="quiet">{facts === undefined ? "" : "no claims were judged"}</dd></>;
  const raw = percent(claims.held / claims.of);
  if (claims.corrected !== undefined) return <><dd class="big">{percent(claims.corrected.rate)}</dd><dd class="mid">{percentRange(claims.corrected.interval)}</dd><dd class="quiet">raw {raw}, {plural(claims.corrected.labels, "label")}</dd></>;
  return <><dd class="big">{claims.of < 10 ? `${claims.held} of ${claims.of}` : raw}</dd><dd class="mid">{percentRange(claims.interval)}</dd><dd class="quiet">{count(claims.held)} of {count(claims.of)}, not corrected</dd></>;
}

function JudgeFact({ run: { judge } }: { readonly run: RunAnswer }): JSX.Element {
  if (judge === undefined) return <><dd class="big quiet">–</dd><dd class="quiet">no judge was asked</dd></>;
  const right = judge.probes.filter(({ expected, said }) => expected === said).length;
  return (
    <>
      <dd class="big">{judge.measured ? <CheckMark holds word={<a class="inkk" href={addressOf(["judge", judge.fingerprint ?? "unnamed"])}>measured</a>} /> : <span class="lb lb-indeterminate"><Icon name="l-indeterminate" /><span><a href={addressOf(["judge", judge.fingerprint ?? "unnamed"])}>unmeasured</a></span></span>}</dd>
      <dd class="mid">{judge.calibrated === undefined ? "not calibrated" : `${right} of 4 probes right`}</dd>
      <dd class="quiet cut"><Alien text={judge.model ?? ""} /></dd>
    </>
  );
}

const shortDollars = (value: number): string => (value >= 0.01 || value === 0 ? value.toFixed(2) : dollars(value).slice(1));

function CostFact({ run: { cost, agentCost, judgeCost, tokens } }: { readonly run: RunAnswer }): JSX.Element {
  const parts = [agentCost === undefined ? "" : `${shortDollars(agentCost)} agent`, judgeCost === undefined ? "" : `${shortDollars(judgeCost)} judge`].filter(Boolean).join(", ");
  return <><dd class="big">{cost === undefined ? <span class="quiet">–</span> : dollars(cost)}</dd><dd class="mid">{cost === undefined ? "unknown, which is not zero" : parts}</dd><dd class="quiet">{tokens === undefined ? "" : `${count(tokens)} tokens`}</dd></>;
}

function TimeFact({ run: { ms, trials, scenarios, left }, facts }: { readonly run: RunAnswer; readonly facts: RunFacts | undefined }): JSX.Element {
  return <><dd class="big">{duration(ms)}</dd><dd class="mid">{left === undefined ? (facts?.median === undefined ? "" : `median ${duration(facts.median)}`) : `${duration(left)} left`}</dd><dd class="quiet">{plural(scenarios, "scenario")}{trials !== undefined && trials > 1 ? ` × ${trials}` : ""}</dd></>;
}

/** A run that broke as a whole says nothing about the agent. */
function BrokenBand({ run }: { readonly run: RunAnswer }): JSX.Element {
  const { error, judge, counts, state } = run;
  if (error === undefined) return <></>;
  const calibration = error.stage === "calibration";
  return (
    <section class="sheet band-e" aria-label="Summary">
      <OutcomeMark outcome={state} word={<><b>{run.suite} #{run.n}</b> {state === "cancelled" ? "was stopped" : calibration ? "errored before the first scenario" : `errored at stage ${error.stage}`}</>} />
      <p class={state === "cancelled" ? "mid" : "diag odd"}><Alien text={error.message} /></p>
      {calibration ? <p>No hook ran and {counts.skipped === 1 ? "the one scenario is" : `all ${count(counts.skipped)} scenarios are`} skipped. Nothing is said about the agent.</p> : <p>{sentenceOf({ ...run, state: "errored" })}</p>}
      {judge === undefined || judge.probes.length === 0 ? null : (
        <ul class="probe">{judge.probes.map(({ expected, said }) => <li key={expected}><LabelMark label={expected} /><span class="quiet">said</span>{said === undefined ? <span class="quiet">nothing</span> : <LabelMark label={said} />}</li>)}</ul>
      )}
      <p class="bar-row">{judge === undefined ? null : <a class="btn" href={addressOf(["judge", judge.fingerprint ?? "unnamed"])}>See the judge</a>}<Command text={state === "cancelled" ? `npx entail resume ${run.n}` : "npx entail run --failed"} /></p>
    </section>
  );
}
