// Owns what belongs to the whole conversation: checks, gates and scores, the reference, how it ended, what is attached, and the judge's work.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TrialAnswer } from "../../answer/form.ts";
import { Alien } from "../part/alien.tsx";
import { Calls } from "../part/calls.tsx";
import { Claim, Gate, Score } from "../part/claim.tsx";
import { Pieces } from "../part/long-text.tsx";
import { OutcomeMark } from "../part/mark.tsx";
import { count, dollars } from "../part/number.ts";
import { copy } from "../say.ts";
import { type Labels, labelsKey } from "./claim-labels.ts";
import { verdictOf } from "./verdict-words.ts";

export function Whole({ trial, single, path, labels }: { readonly trial: TrialAnswer; readonly single: boolean; readonly path: string; readonly labels: Labels }): JSX.Element | null {
  const { whole, calls, turns, judging } = trial;
  const placed = turns.some((turn) => turn.calls !== undefined);
  const { claims, gates, scores } = whole;
  const facts = factsOf(trial);
  const nothing = claims.length + gates.length + scores.length === 0 && (placed || calls.total === 0);
  if (nothing && facts.length === 0 && judging === undefined) return null;
  return (
    <section class="turn whole" id="all">
      <header class="turn-h"><h2>{single ? "Around it" : "Whole conversation"}</h2>{claims.length + gates.length + scores.length === 0 ? null : <OutcomeMark outcome={trial.outcome} word={wholeVerdict(trial)} />}</header>
      <div class={judging === undefined && claims.length + scores.length === 0 ? "turn-b turn-w" : "turn-b"}>
        <div class="talk">
          {placed ? null : <Calls first={calls} turn={{ calls: [0, calls.total], clock: trial.clock, confirmation: turns.some((turn) => turn.confirmation !== undefined) ? undefined : trial.confirmation }} path={path} shown={undefined} />}
          {gates.length === 0 ? null : <ul class="checks">{gates.map((gate) => <Gate key={`${gate.kind} ${gate.id}`} gate={gate} />)}</ul>}
          {facts.length === 0 ? null : <dl class="kv kv-w">{facts}</dl>}
        </div>
        {judging === undefined && claims.length + scores.length === 0 ? null : (
          <aside class="marg" aria-label="What was judged of the whole">
            {claims.length === 0 ? null : <section><h3>Claims</h3>{claims.map((claim) => <Claim key={claim.id} claim={claim} number={undefined} others={labels.get(labelsKey(undefined, claim.id)) ?? []} trial={trial.trial} lit={undefined} light={() => undefined} opened={0} />)}</section>}
            {scores.length === 0 ? null : <section><h3>Scores</h3><ul>{scores.map((score) => <Score key={score.id} score={score} />)}</ul></section>}
            {judging === undefined ? null : (
              <section>
                <h3>Judge</h3>
                <dl class="kv">
                  <dt>requests</dt><dd>{count(judging.requests)}{judging.corrections.length === 0 ? ", none corrected" : `, ${count(judging.corrections.length)} of them corrected`}</dd>
                  {judging.corrections.map((cause, at) => <><dt>{at === 0 ? "because" : ""}</dt><dd><Alien text={cause} /></dd></>)}
                  {judging.cost === undefined && judging.tokens === undefined ? null : <><dt>cost</dt><dd>{[judging.cost === undefined ? "" : dollars(judging.cost), judging.tokens === undefined ? "" : `${count(judging.tokens)} tokens`].filter(Boolean).join(", ")}</dd></>}
                </dl>
              </section>
            )}
          </aside>
        )}
      </div>
    </section>
  );
}

function wholeVerdict(trial: TrialAnswer): string {
  const { gates } = trial.whole;
  const failed = gates.filter(({ passed }) => !passed).length;
  if (gates.length > 0 && failed > 0) return `${failed} of ${gates.length} ${gates.length === 1 ? "check" : "checks"} ${failed === 1 ? "fails" : "fail"}`;
  return verdictOf({ ...trial.whole, outcome: trial.outcome === "failed" ? "passed" : trial.outcome });
}

function factsOf({ reference, ended, confirmation, failure, artifacts, stdout, unseen }: TrialAnswer): readonly JSX.Element[] {
  const facts: JSX.Element[] = [];
  const add = (name: string, value: JSX.Element | string): void => {
    facts.push(<><dt>{name}</dt><dd>{value}</dd></>);
  };
  if (reference !== undefined) add("reference", reference.path === undefined ? <Alien text={reference.text} /> : <Pieces words={reference} />);
  if (ended !== undefined) add("ended", `${ended}${confirmation === undefined ? "" : `, a confirmation ${confirmation.state === "pending" ? "pending" : confirmation.state}`}`);
  if (failure !== undefined) add("run failed", <Alien text={failure} />);
  if (unseen.length > 0) add("not seen", <span>this adapter cannot see {unseen.join(", ")}; nothing was decided on them</span>);
  for (const [at, artifact] of artifacts.entries()) add(at === 0 ? "attached" : "", <Artifact {...artifact} />);
  if (stdout !== undefined) add("printed", <Folded words={stdout} />);
  return facts;
}

/** Shows where it lies. It opens nothing: a file of this machine is not the page's to read. */
function Artifact({ name, uri }: { readonly name: string; readonly uri: string }): JSX.Element {
  const [shown, setShown] = useState(false);
  return <><button type="button" class="inert" aria-expanded={shown} onClick={() => setShown(!shown)}><Alien text={name} /></button>{shown ? <> <code><Alien text={uri} /></code> <button type="button" class="quiet-b" onClick={() => void copy(uri)}>copy</button></> : null}</>;
}

function Folded({ words }: { readonly words: NonNullable<TrialAnswer["stdout"]> }): JSX.Element {
  return <details><summary class="quiet">{count(words.of ?? words.text.length)} characters</summary>{words.path === undefined ? <pre class="json"><Alien text={words.text} /></pre> : <Pieces words={words} />}</details>;
}
