// Owns one trial: why it did not pass, the rail of its turns, the turns themselves, and the whole.

import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Label } from "../../../core/label.ts";
import type { ScenarioAnswer, TrialAnswer, TurnForm, WhyLine } from "../../answer/form.ts";
import { useAnswer } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { Alien, oneLine } from "../part/alien.tsx";
import { CheckMark, LabelMark, OutcomeMark } from "../part/mark.tsx";
import { duration } from "../part/number.ts";
import { ProblemState } from "../part/problem.tsx";
import { Command, Kbd, Loading } from "../part/small.tsx";
import { setQuery } from "../route.ts";
import { type Labels, labelsKey } from "./claim-labels.ts";
import { Turn } from "./turn.tsx";
import { Whole } from "./whole.tsx";

interface TrialProps {
  readonly path: string;
  readonly trial: number;
  readonly answer: ScenarioAnswer;
  readonly query: URLSearchParams;
}

/** Other trials are read for the strips of claims while there are few. */
const COMPARED = 5;

export function TrialView({ path, trial, answer, query }: TrialProps): JSX.Element {
  const { value, problem } = useAnswer<TrialAnswer>(`${path}/trials/${trial}`, true);
  const labels = useLabels(path, answer);
  const root = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<{ readonly claim: string; readonly times: number }>({ claim: query.get("claim") ?? "", times: query.has("claim") ? 1 : 0 });
  const [allOpen, setAllOpen] = useState(0);
  useEffect(() => {
    if (value === undefined) return;
    const [turn, claim, call] = [query.get("turn"), query.get("claim"), query.get("call")];
    const target = (call === null ? null : find(root.current, "data-call", call)) ?? (claim === null ? null : find(root.current, "data-claim", claim)) ?? (turn === null ? null : document.getElementById(`t${Number(turn) - 1}`));
    if (target !== null) reveal(target);
  }, [value === undefined]);
  const problems = (): readonly HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>("[data-problem]") ?? [])];
  const atProblem = useRef(-1);
  const step = (by: number): void => {
    const all = problems();
    if (all.length === 0) return;
    atProblem.current = atProblem.current === -1 && by < 0 ? all.length - 1 : (atProblem.current + by + all.length) % all.length;
    const to = all[atProblem.current];
    if (to !== undefined) reveal(to);
  };
  const stepTurn = (by: number): void => {
    const turns = [...(root.current?.querySelectorAll<HTMLElement>(".flow > .turn") ?? [])];
    const now = turns.findIndex((turn) => turn.getBoundingClientRect().bottom > 120);
    turns[Math.max(0, Math.min(turns.length - 1, now + by))]?.scrollIntoView({ block: "start" });
  };
  useKeys({ n: () => step(1), p: () => step(-1), "]": () => stepTurn(1), "[": () => stepTurn(-1), e: () => { toggleAll(root.current); setAllOpen(allOpen + 1); } });
  if (problem !== undefined && value === undefined) return <ProblemState problem={problem} parent="#/" parentName="All runs" />;
  if (value === undefined) return <Loading rows={8} />;
  const single = value.turns.length === 1 && value.turns[0]?.id === undefined && value.whole.gates.length + value.whole.claims.length + value.whole.scores.length === 0;
  const openClaim = (claim: string): void => {
    setOpened({ claim, times: opened.times + 1 });
    setQuery({ claim });
    const element = find(root.current, "data-claim", claim);
    if (element instanceof HTMLDetailsElement) element.open = true;
    element?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div ref={root}>
      {value.error === undefined ? null : <ErrorBox answer={answer} trial={value} />}
      <Why trial={value} single={single} openClaim={openClaim} />
      <div class={single ? "scn scn-1" : "scn"}>
        {single ? null : <Rail turns={value.turns} whole={value.whole} />}
        <div class="flow">
          {value.turns.map((turn) => <Turn key={turn.turn} turn={turn} trial={value} single={single} path={`${path}/trials/${trial}`} labels={labels} openedClaim={opened} shownCall={query.get("call") ?? undefined} openClaim={openClaim} />)}
          <Whole trial={value} single={single} path={`${path}/trials/${trial}`} labels={labels} />
        </div>
      </div>
    </div>
  );
}

function find(root: Element | null, attribute: string, value: string): Element | null {
  return [...(root?.querySelectorAll(`[${attribute}]`) ?? [])].find((element) => element.getAttribute(attribute) === value) ?? null;
}

function reveal(element: Element): void {
  for (let each: Element | null = element; each !== null; each = each.parentElement) if (each instanceof HTMLDetailsElement) each.open = true;
  requestAnimationFrame(() => {
    element.scrollIntoView({ block: "center" });
    const focused = element.querySelector<HTMLElement>("summary") ?? (element as HTMLElement);
    if (focused.tabIndex < 0) focused.tabIndex = -1;
    focused.focus({ preventScroll: true });
  });
}

function toggleAll(root: HTMLElement | null): void {
  const all = [...(root?.querySelectorAll<HTMLDetailsElement>("details.turn, .call > details") ?? [])];
  const open = all.some((each) => !each.open);
  for (const each of all) each.open = open;
}

function useLabels(path: string, { trials }: ScenarioAnswer): Labels {
  const few = trials.length > 1 && trials.length <= COMPARED;
  const answers = Array.from({ length: COMPARED }, (_, at) => useAnswer<TrialAnswer>(few && trials[at] !== undefined ? `${path}/trials/${trials[at].trial}` : undefined, true).value);
  return useMemo(() => {
    const labels = new Map<string, (Label | undefined)[]>();
    if (!few) return labels;
    for (const [at, answer] of answers.slice(0, trials.length).entries()) {
      for (const [turn, claims] of [...(answer?.turns ?? []).map((each) => [each.turn, each.claims] as const), [undefined, answer?.whole.claims ?? []] as const]) {
        for (const claim of claims) {
          const key = labelsKey(turn, claim.id);
          const row = labels.get(key) ?? Array.from<Label | undefined>({ length: trials.length });
          row[at] = claim.label;
          labels.set(key, row);
        }
      }
    }
    return labels;
  }, answers);
}

function Why({ trial, single, openClaim }: { readonly trial: TrialAnswer; readonly single: boolean; readonly openClaim: (claim: string) => void }): JSX.Element | null {
  const lines = trial.why.filter(({ kind, turn }) => kind !== "error" || turn !== undefined);
  if (lines.length === 0) return null;
  const jump = (line: WhyLine) => (event: MouseEvent): void => {
    event.preventDefault();
    if (line.kind === "claim") openClaim(line.id);
    else document.getElementById(line.turn === undefined && !single ? "all" : `t${line.turn ?? 0}`)?.scrollIntoView({ block: "start" });
  };
  return (
    <section class={`why sheet why-${trial.outcome}`} aria-label="Why it did not pass">
      <h2>Why trial {trial.trial} {trial.outcome === "scored" ? "missed" : trial.outcome}</h2>
      <ol>
        {lines.map((line) => (
          <li key={`${line.turn} ${line.kind} ${line.id}`}>
            <a href={`#t${line.turn ?? 0}`} onClick={jump(line)}>{line.turn === undefined ? (single ? "Answer" : "Whole") : `Turn ${line.turn + 1}`}</a>
            <WhyMark line={line} />
            <a class="mono cut" href={`#t${line.turn ?? 0}`} onClick={jump(line)}><Alien text={oneLine(line.id)} /></a>
            <span class="mid cut"><Alien text={oneLine(line.words)} /></span>
          </li>
        ))}
        {trial.moreWhy > 0 ? <li class="quiet"><span>and {trial.moreWhy} more</span></li> : null}
      </ol>
    </section>
  );
}

function WhyMark({ line }: { readonly line: WhyLine }): JSX.Element {
  if (line.kind === "claim" && line.label !== undefined) return <LabelMark label={line.label} />;
  if (line.kind === "score") return <OutcomeMark outcome="scored" word="below" />;
  if (line.kind === "error") return <OutcomeMark outcome="errored" />;
  return <CheckMark holds={false} word={`${line.kind} fails`} />;
}

/** An error of the infrastructure: what it was, what it means for the numbers, and the command that tries again. */
function ErrorBox({ answer, trial }: { readonly answer: ScenarioAnswer; readonly trial: TrialAnswer }): JSX.Element {
  const { error, attempts, outcome } = trial;
  if (error === undefined) return <></>;
  const skipped = outcome === "skipped";
  return (
    <section class="sheet band-e err" aria-label="What broke">
      <OutcomeMark outcome={outcome} word={<><b>trial {trial.trial}</b> at stage {error.stage}</>} />
      <p class="diag odd"><span class="mono">{error.code}</span>{"\n"}<Alien text={error.message} /></p>
      {attempts.length === 0 ? null : <ul class="quiet">{attempts.map((each) => <li key={each.attempt}>attempt {each.attempt}, {duration(each.ms)}: <Alien text={oneLine(each.error.message)} /></li>)}</ul>}
      {skipped ? null : <p class="mid">{outcome === "cancelled" ? "It was stopped: nothing is said about the agent." : "Infrastructure or judge, not the agent: left out of the pass rate, counted on its own."}</p>}
      <p><Command text={`npx entail run --scenario ${answer.id}`} /></p>
    </section>
  );
}

const outcomeOf = ({ claims, gates, scores }: TrialAnswer["whole"]): "passed" | "scored" | "failed" =>
  [...claims, ...gates].some(({ passed }) => !passed) ? "failed" : scores.some(({ passed }) => passed === false) ? "scored" : "passed";

function Rail({ turns, whole }: { readonly turns: readonly TurnForm[]; readonly whole: TrialAnswer["whole"] }): JSX.Element {
  const [at, setAt] = useState(turns[0]?.turn);
  useEffect(() => {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) setAt(Number(entry.target.id.slice(1)));
    }, { rootMargin: "-110px 0px -70% 0px" });
    for (const turn of document.querySelectorAll(".flow > .turn[id^='t']")) seen.observe(turn);
    return () => seen.disconnect();
  }, [turns]);
  const jump = (id: string) => (event: MouseEvent): void => {
    event.preventDefault();
    const target = document.getElementById(id);
    if (target instanceof HTMLDetailsElement) target.open = true;
    target?.scrollIntoView({ block: "start" });
  };
  return (
    <nav class="rail" aria-label="Turns">
      <ol>
        {turns.map((turn) => (
          <li key={turn.turn}>
            <a href={`#t${turn.turn}`} aria-current={at === turn.turn ? "true" : undefined} onClick={jump(`t${turn.turn}`)}><OutcomeMark outcome={turn.outcome} alone /><span>Turn {turn.turn + 1}</span><span class="quiet">{turn.ms === undefined ? "" : duration(turn.ms)}</span></a>
            <p class="cut quiet"><Alien text={oneLine(turn.input?.text ?? "", 80)} /></p>
          </li>
        ))}
        <li>
          <a href="#all" onClick={jump("all")}><OutcomeMark outcome={outcomeOf(whole)} alone /><span>Whole</span></a>
          <p class="cut quiet">Checks, evidence</p>
        </li>
      </ol>
      <p class="rail-k quiet"><Kbd>n</Kbd> <Kbd>p</Kbd> problem<br /><Kbd>[</Kbd> <Kbd>]</Kbd> turn<br /><Kbd>e</Kbd> open all</p>
    </nav>
  );
}
