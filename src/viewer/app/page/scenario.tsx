// Owns the page of one scenario: why did this trial fail? Its head, its trials as tabs, and the view that is picked.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { NearAnswer, ScenarioAnswer, TrialAnswer } from "../../answer/form.ts";
import { prefetch, useAnswer } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { Alien } from "../part/alien.tsx";
import { Icon, OutcomeMark, wordOf } from "../part/mark.tsx";
import { count, dollars, duration, plural } from "../part/number.ts";
import { ProblemState } from "../part/problem.tsx";
import { Crumb, Empty, Kbd, Loading } from "../part/small.tsx";
import { addressOf, go, setQuery } from "../route.ts";
import { copy, say } from "../say.ts";
import { listOf } from "./list-context.ts";
import { RawView } from "./raw.tsx";
import { scenarioPath } from "./paths.ts";
import { SideBySide } from "./side-by-side.tsx";
import { TrialView } from "./trial-view.tsx";

/** Up to so many trials are tabs; beyond them a list picks one. */
const TABS = 9;

export function ScenarioPage({ run, scenario, query }: { readonly run: string; readonly scenario: string; readonly query: URLSearchParams }): JSX.Element {
  const path = scenarioPath(run, scenario);
  const [still, setStill] = useState(false);
  const { value, problem } = useAnswer<ScenarioAnswer>(path, still);
  const list = listOf(run);
  const near = useAnswer<NearAnswer>(value === undefined ? undefined : `${path}/near?${list?.query ?? (value.outcome === undefined ? "" : `outcome=${value.outcome}`)}`, true).value;
  useEffect(() => {
    document.title = `${scenario} · Entail`;
  }, [scenario]);
  useEffect(() => {
    setStill(value?.outcome !== undefined && value.run.state !== "running");
  }, [value]);
  useEffect(() => {
    if (near?.next !== undefined) prefetch(scenarioPath(run, near.next));
  }, [near?.next]);
  const view = query.get("view") === "side" ? "side" : query.get("view") === "raw" ? "raw" : "talk";
  const asked = Number(query.get("trial"));
  const trial = value?.trials.some((each) => each.trial === asked) === true ? asked : (value?.deciding ?? 1);
  const show = (to: "side" | "raw" | "talk", other?: number): void => setQuery({ view: to === "talk" ? undefined : to, trial: other ?? query.get("trial") ?? undefined, turn: undefined, claim: undefined, call: undefined });
  const open = (id: string | undefined): void => {
    if (id === undefined) say("There is no other scenario in this list");
    else go(addressOf(["run", run, id]));
  };
  const digits = Object.fromEntries((value?.trials ?? []).filter((each) => each.trial <= 9).map((each) => [String(each.trial), () => show("talk", each.trial)]));
  useKeys({ ...digits, j: () => open(near?.next), k: () => open(near?.previous), s: () => show(view === "side" ? "talk" : "side"), r: () => show(view === "raw" ? "talk" : "raw"), y: () => void copy(location.href), Escape: () => go(addressOf(["run", run])) });

  if (problem !== undefined && value === undefined) return <ProblemState problem={problem} parent={addressOf(["run", run])} parentName="The run" />;
  if (value === undefined) return <div class="sheet first" key="loading"><Loading rows={10} /></div>;
  return (
    <>
      <Head answer={value} near={near} listName={list?.name ?? (value.outcome === undefined ? "" : wordOf(value.outcome))} open={open} />
      {value.knownFailure === undefined ? null : <p class="quiet">Its author expects it to fail: <Alien text={value.knownFailure} /></p>}
      <div class="tabs">
        <div class="tabs-l" role="tablist" aria-label="Trials">
          {value.trials.slice(0, TABS).map((each) => (
            <button key={each.trial} type="button" role="tab" id={`tab-${each.trial}`} aria-controls="view" aria-selected={view === "talk" && each.trial === trial} onClick={() => show("talk", each.trial)}><OutcomeMark outcome={each.outcome} alone />Trial {each.trial}</button>
          ))}
          {value.trials.length > 1 ? <button type="button" role="tab" id="tab-side" class="tab-apart" aria-controls="view" aria-selected={view === "side"} onClick={() => show(view === "side" ? "talk" : "side")}>Side by side <Kbd>s</Kbd></button> : null}
          <button type="button" role="tab" id="tab-raw" class={value.trials.length > 1 ? "" : "tab-apart"} aria-controls="view" aria-selected={view === "raw"} onClick={() => show(view === "raw" ? "talk" : "raw")}>Raw <Kbd>r</Kbd></button>
        </div>
        <TrialFacts path={path} trial={value.trials.length === 0 ? undefined : trial} />
      </div>
      {value.trials.length > TABS ? <p class="more-trials"><label>All {count(value.trials.length)} trials <select class="pick" value={trial} onChange={(event) => show("talk", Number(event.currentTarget.value))}>{value.trials.map((each) => <option key={each.trial} value={each.trial}>{`Trial ${each.trial}: ${wordOf(each.outcome)}`}</option>)}</select></label></p> : null}
      <div id="view" role="tabpanel" aria-labelledby={view === "talk" ? `tab-${Math.min(trial, TABS)}` : `tab-${view}`}>
        {value.trials.length === 0 ? <NotRun answer={value} /> : view === "side" ? <SideBySide path={path} answer={value} /> : view === "raw" ? <RawView path={path} trial={trial} /> : <TrialView key={`${path} ${trial} ${query.get("call") ?? ""}`} path={path} trial={trial} answer={value} query={query} />}
      </div>
    </>
  );
}

function Head({ answer, near, listName, open }: { readonly answer: ScenarioAnswer; readonly near: NearAnswer | undefined; readonly listName: string; readonly open: (id: string | undefined) => void }): JSX.Element {
  const { run, was, outcome } = answer;
  return (
    <div class="head">
      <nav class="crumbs" aria-label="Where you are"><Crumb><a href="#/">Runs</a></Crumb><Crumb><a href={addressOf(["run", run.id])}><Alien text={run.suite} /> <span class="mono">#{run.n}</span></a></Crumb></nav>
      <h1 class="cut"><code><Alien text={answer.id} /></code></h1>
      <OutcomeMark outcome={outcome ?? "not_reached"} word={outcome === undefined ? "not started" : undefined} />
      {was === undefined || was.outcome === outcome ? null : <a class="link nowrap was" href={addressOf(["compare", `${was.id}..${run.id}`], { scenario: answer.id })}>{wordOf(was.outcome)} in #{was.n}</a>}
      <span class="mid cut only-wide desc"><Alien text={answer.description} /></span>
      <span class="only-wide tags">{answer.tags.slice(0, 4).map((tag) => <span key={tag} class="tag"><Alien text={tag} /></span>)}</span>
      <div class="end">
        {near === undefined || near.index < 0 ? null : <span class="quiet only-wide nowrap">{near.index + 1} of {count(near.total)} {listName}</span>}
        <button class="btn btn-q" type="button" aria-label="Previous scenario" disabled={near?.previous === undefined} onClick={() => open(near?.previous)}><Icon name="up" /><Kbd>k</Kbd></button>
        <button class="btn btn-q" type="button" aria-label="Next scenario" disabled={near?.next === undefined} onClick={() => open(near?.next)}><Icon name="down" /><Kbd>j</Kbd></button>
      </div>
    </div>
  );
}

/** What the trial took, where there is room beside the tabs. */
function TrialFacts({ path, trial }: { readonly path: string; readonly trial: number | undefined }): JSX.Element | null {
  const { value } = useAnswer<TrialAnswer>(trial === undefined ? undefined : `${path}/trials/${trial}`, true);
  if (value === undefined) return null;
  return (
    <span class="end only-wide">
      <span>{duration(value.ms)}</span>
      {value.tokens === undefined ? null : <span>{count(value.tokens)} tokens</span>}
      {value.cost === undefined ? null : <span>{dollars(value.cost)}</span>}
      {value.session === undefined ? null : <span>thread <span class="mono"><Alien text={value.session.slice(0, 24)} /></span></span>}
    </span>
  );
}

function NotRun({ answer: { skip, error, run, outcome } }: { readonly answer: ScenarioAnswer }): JSX.Element {
  return (
    <div class="sheet first">
      <Empty icon={outcome === "skipped" ? "o-skipped" : "o-not_reached"} title={outcome === "skipped" ? "It was not to run" : "It has not run yet"} level={2}>
        <p>{skip === undefined && error === undefined ? `It is planned in ${run.suite} #${run.n}, and nothing of it is stored.` : <Alien text={skip ?? error?.message ?? ""} />}</p>
        <p class="quiet">{plural(0, "trial")}</p>
      </Empty>
    </div>
  );
}
