// Owns one turn: what was asked, what was done, what was said, and beside it what is held against it.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ClaimForm, TrialAnswer, TurnForm } from "../../answer/form.ts";
import { Alien, oneLine } from "../part/alien.tsx";
import { Calls } from "../part/calls.tsx";
import { Claim, Gate, Score } from "../part/claim.tsx";
import { Json, parseJson } from "../part/json.tsx";
import { Icon, OutcomeMark } from "../part/mark.tsx";
import { count, duration } from "../part/number.ts";
import { Output, type Quote } from "../part/output.tsx";
import { type Labels, labelsKey } from "./claim-labels.ts";
import { verdictOf } from "./verdict-words.ts";

export interface TurnProps {
  readonly turn: TurnForm;
  readonly trial: TrialAnswer;
  /** The answer of a scenario without turns. */
  readonly single: boolean;
  readonly path: string;
  readonly labels: Labels;
  readonly openedClaim: { readonly claim: string; readonly times: number };
  readonly shownCall: string | undefined;
  readonly openClaim: (claim: string) => void;
}

export function Turn(props: TurnProps): JSX.Element {
  const { turn, trial, single } = props;
  const holds = turn.outcome === "passed";
  const [open, setOpen] = useState(single || !holds || trial.outcome === "passed" || isNamed(props));
  if (turn.outcome === "not_reached") return <NotReached turn={turn} />;
  return (
    <details class="turn" id={`t${turn.turn}`} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="turn-h">
        <Icon name="chev" class="ic-s tw" />
        <h2>{single ? "Answer" : `Turn ${turn.turn + 1}`}</h2>
        <OutcomeMark outcome={turn.outcome} word={verdictOf(turn)} />
        <span class="fold-say cut"><span class="quiet">user</span> <Alien text={oneLine(turn.input?.text ?? "", 200)} /> <span class="quiet">agent</span> <Alien text={oneLine(turn.output?.text ?? "")} /></span>
        <span class="quiet end">{[turn.ms === undefined ? "" : duration(turn.ms), turn.tokens === undefined ? "" : `${count(turn.tokens)} tokens`].filter(Boolean).join(", ")}</span>
      </summary>
      {open ? <Body {...props} /> : null}
    </details>
  );
}

/** Whether the address leads to something in it. */
function isNamed({ turn, trial, openedClaim, shownCall }: TurnProps): boolean {
  const [from, to] = turn.calls ?? [0, 0];
  if (shownCall !== undefined && trial.calls.calls.some(({ at, toolCallId }) => at >= from && at < to && toolCallId === shownCall)) return true;
  return openedClaim.times > 0 && turn.claims.some(({ id }) => id === openedClaim.claim);
}

function Body({ turn, trial, single, path, labels, openedClaim, shownCall, openClaim }: TurnProps): JSX.Element {
  const [lit, light] = useState<number | undefined>(undefined);
  const quotes = quotesOf(turn.claims, turn.output?.text ?? "", single ? 0 : firstNumber(trial, turn));
  const judged = turn.claims.length + turn.gates.length + turn.scores.length > 0;
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => stick(body.current), [turn]);
  return (
    <div class={judged ? "turn-b" : "turn-b turn-w"} ref={body}>
      <div class="talk">
        {turn.input === undefined ? null : <div class="say user"><span class="who" title={turn.played === true ? "a player of the user said it" : undefined}>{single ? "input" : "user"}{turn.played === true ? <> <span class="who-p">played</span></> : null}</span><div>{parseJson(turn.input.text)?.kind === "object" ? <Json text={turn.input.text} open={2} /> : <p><Alien text={turn.input.text} /></p>}</div></div>}
        {turn.calls === undefined && turn.confirmation === undefined ? null : <Calls first={trial.calls} turn={turn} path={path} shown={shownCall} />}
        {turn.error === undefined ? null : <p class="diag odd"><span class="mono">{turn.error.code}</span>{"\n"}<Alien text={turn.error.message} /></p>}
        <div class="say agent"><span class="who">agent</span>{turn.output === undefined ? <p class="quiet">It said nothing.</p> : <Output words={turn.output} quotes={quotes} lit={lit} light={light} open={openClaim} />}</div>
      </div>
      {judged ? <Margin turn={turn} trial={trial} single={single} labels={labels} quotes={quotes} lit={lit} light={light} openedClaim={openedClaim} /> : null}
    </div>
  );
}

interface MarginProps extends Pick<TurnProps, "turn" | "trial" | "labels" | "openedClaim" | "single"> {
  readonly quotes: readonly Quote[];
  readonly lit: number | undefined;
  readonly light: (number: number | undefined) => void;
}

function Margin({ turn, trial, labels, quotes, lit, light, openedClaim, single }: MarginProps): JSX.Element {
  const { claims, gates, scores } = turn;
  const held = claims.filter(({ passed }) => passed).length;
  const checks = gates.filter(({ kind }) => kind === "check");
  const others = gates.filter(({ kind }) => kind === "gate");
  return (
    <aside class="marg" aria-label={single ? "What was judged" : `What was judged in turn ${turn.turn + 1}`}>
      {claims.length === 0 ? null : (
        <section>
          <h3>Claims <span class="count">{held} of {claims.length} hold</span></h3>
          {claims.map((claim) => <Claim key={claim.id} claim={claim} number={quotes.find((quote) => quote.claim === claim.id)?.number} others={labels.get(labelsKey(single ? 0 : turn.turn, claim.id)) ?? []} trial={trial.trial} lit={lit} light={light} opened={openedClaim.claim === claim.id ? openedClaim.times : 0} />)}
        </section>
      )}
      {checks.length === 0 ? null : <section><h3>Checks <span class="count">{checks.filter(({ passed }) => passed).length} of {checks.length} hold</span></h3><ul>{checks.map((gate) => <Gate key={gate.id} gate={gate} />)}</ul></section>}
      {others.length + scores.length === 0 ? null : (
        <section>
          <h3>{others.length === 0 ? "Scores" : scores.length === 0 ? "Gates" : "Gates and scores"}</h3>
          <ul>{others.map((gate) => <Gate key={gate.id} gate={gate} />)}{scores.map((score) => <Score key={score.id} score={score} />)}</ul>
        </section>
      )}
    </aside>
  );
}

/** Quotes that stand in the output, numbered through the trial as they are read. */
function quotesOf(claims: readonly ClaimForm[], output: string, from: number): readonly Quote[] {
  const found = claims.flatMap(({ id, label, quote }) => (quote === undefined || quote === "" || !output.includes(quote) ? [] : [{ label, text: quote, claim: id, place: output.indexOf(quote) }]));
  return found.toSorted((a, b) => a.place - b.place).map(({ label, text, claim }, at) => ({ label, text, claim, number: from + at + 1 }));
}

function firstNumber(trial: TrialAnswer, turn: TurnForm): number {
  return trial.turns.filter((each) => each.turn < turn.turn).reduce((sum, each) => sum + each.claims.filter(({ quote }) => quote !== undefined && quote !== "" && each.output?.text.includes(quote) === true).length, 0);
}

function NotReached({ turn }: { readonly turn: TurnForm }): JSX.Element {
  return (
    <section class="turn off" id={`t${turn.turn}`}>
      <header class="turn-h"><h2>Turn {turn.turn + 1}</h2><OutcomeMark outcome="not_reached" /><span class="quiet cut">{turn.error === undefined ? "The conversation stopped before it." : <Alien text={turn.error.message} />} Not counted as a failure.</span></header>
      {turn.input === undefined ? null : <div class="talk"><div class="say user"><span class="who">user</span><p><Alien text={turn.input.text} /></p></div></div>}
    </section>
  );
}

/** The shorter side stays beside the longer one; a side taller than the window scrolls. */
function stick(body: HTMLElement | null): (() => void) | undefined {
  if (body === null) return undefined;
  const sides = [...body.children].filter((each) => each instanceof HTMLElement);
  const place = (): void => {
    for (const side of sides) side.style.top = `${Math.min(128, innerHeight - side.offsetHeight - 16)}px`;
  };
  const seen = new ResizeObserver(place);
  for (const side of sides) seen.observe(side);
  addEventListener("resize", place);
  return () => {
    seen.disconnect();
    removeEventListener("resize", place);
  };
}
