// Owns the page of one run: what failed, and is it the agent? The summary first, then the scenarios by outcome.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RunAnswer, RunFacts } from "../../answer/form.ts";
import { source, useAnswer } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { Alien } from "../part/alien.tsx";
import { Icon } from "../part/mark.tsx";
import { count, moment, shortDay } from "../part/number.ts";
import { ProblemState } from "../part/problem.tsx";
import { CopyAddress, Crumb, Loading } from "../part/small.tsx";
import { addressOf, go } from "../route.ts";
import { runPath } from "./paths.ts";
import { RunBand } from "./run-band.tsx";
import { ScenarioList } from "./scenario-list.tsx";

export function RunPage({ run: id, query }: { readonly run: string; readonly query: URLSearchParams }): JSX.Element {
  const [still, setStill] = useState(false);
  const { value: run, problem } = useAnswer<RunAnswer>(runPath(id), still);
  const facts = useAnswer<RunFacts>(run === undefined || run.stored === 0 ? undefined : `${runPath(id)}/facts`, still).value;
  useEffect(() => {
    if (run !== undefined) document.title = `${run.suite} #${run.n} · Entail`;
    // What has finished is not asked for again.
    setStill(run !== undefined && run.state !== "running" && run.state !== "incomplete");
  }, [run]);
  const compare = run?.reference === undefined || run.state === "running" ? undefined : addressOf(["compare", `${run.reference.id}..${run.id}`]);
  useKeys({ c: compare === undefined ? undefined : () => go(compare) });
  if (problem !== undefined && run === undefined) return <ProblemState problem={problem} parent="#/" parentName="All runs" />;
  if (run === undefined) return <div class="sheet first"><Loading rows={10} /></div>;
  return (
    <>
      <div class="head">
        <nav class="crumbs" aria-label="Where you are"><Crumb><a href="#/">Runs</a></Crumb></nav>
        <h1><Alien text={run.suite} /> <span class="mono quiet">#{run.n}</span></h1>
        <span class="mid"><span class="mono"><Alien text={run.branch ?? ""} /></span> <Alien text={run.note ?? ""} /></span>
        <span class="quiet only-wide" title={moment(run.at)}>{moment(run.at)}</span>
        {run.isBaseline === true ? <span class="vd vd-none"><Icon name="flag" /><span>baseline</span></span> : null}
        <div class="end">
          {compare === undefined || run.reference === undefined ? null : <a class="btn" href={compare}><Icon name="swap" />Compare with {run.reference.baseline ? "baseline" : `#${run.reference.n}`}</a>}
          <CopyAddress />
        </div>
      </div>
      <RunBand run={run} facts={facts} />
      {run.warnings.length === 0 ? null : <ul class="warnings quiet">{run.warnings.map((text) => <li key={text}><Icon name="o-errored" class="ic-s warnk" /> <Alien text={text} /></li>)}{run.moreWarnings > 0 ? <li>and {run.moreWarnings} more warnings in the report</li> : null}</ul>}
      {source().cut === undefined ? null : <p class="quiet foot">Texts of more than {count(source().cut ?? 0)} characters are cut in this file, and say so.</p>}
      <ScenarioList run={run} query={query} tags={facts?.tags ?? []} />
      <p class="quiet foot">{[run.file, run.subject === undefined ? undefined : `subject ${run.subject.slice(0, 40)}`, run.command.length > 0 ? `entail ${run.command.join(" ")}` : undefined, run.selected ? "a selection of the suite" : undefined, `started ${shortDay(run.at)}`].filter(Boolean).join(" · ")}</p>
    </>
  );
}
