// Owns what was said of an answer: claims, checks and gates, scores.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Label } from "../../../core/label.ts";
import type { ClaimForm, GateForm, ScoreForm } from "../../answer/form.ts";
import { Alien, oneLine } from "./alien.tsx";
import { CheckMark, LabelMark, wordOf } from "./mark.tsx";
import { Pieces } from "./long-text.tsx";

export interface ClaimProps {
  readonly claim: ClaimForm;
  /** Of its quote, where that stands in the output. */
  readonly number: number | undefined;
  /** Its label in each trial, where there are several. */
  readonly others: readonly (Label | undefined)[];
  readonly trial: number;
  readonly lit: number | undefined;
  readonly light: (number: number | undefined) => void;
  /** Counts up each time that it is to be opened. */
  readonly opened: number;
}

export function Claim({ claim, number, others, trial, lit, light, opened }: ClaimProps): JSX.Element {
  const [open, setOpen] = useState(!claim.passed);
  useEffect(() => {
    if (opened > 0) setOpen(true);
  }, [opened]);
  return (
    <details class={`claim ${claim.passed ? "" : "is-open"} ${lit !== undefined && lit === number ? "lit" : ""}`} data-claim={claim.id} data-problem={claim.passed ? undefined : ""} open={open} onToggle={(event) => setOpen(event.currentTarget.open)} onMouseEnter={() => light(number)} onMouseLeave={() => light(undefined)}>
      <summary onFocus={() => light(number)} onBlur={() => light(undefined)}>
        <LabelMark label={claim.label} alone />
        <span class="cl-id mono cut"><Alien text={claim.id} /></span>
        {number === undefined ? null : <span class="qn">{number}</span>}
        {others.length < 2 ? null : <LabelStrip labels={others} now={trial} />}
      </summary>
      <div class="cl-b">
        <p class="cl-l"><b class={`lbk-${claim.label}`}>{wordOf(claim.label)}</b><span class="quiet">{claim.passed ? (claim.expect === "entailed" ? "" : ", as expected") : `, expected ${wordOf(claim.expect)}`}</span>{claim.votes === undefined || claim.votes.length === 0 ? null : <Votes votes={claim.votes} />}</p>
        {claim.text === undefined ? null : <p class="cl-t"><Alien text={claim.text} /></p>}
        {claim.quote === undefined ? null : <blockquote>“<Alien text={claim.quote} />”</blockquote>}
        {claim.votes === undefined || claim.votes.length === 0 ? <p class="cl-w"><Alien text={claim.rationale} /></p> : <ul class="votes">{claim.votes.map((vote, at) => <li key={at}><LabelMark label={vote.label} alone /><span class="cl-w"><b><Alien text={oneLine(vote.judge, 60)} /></b> <Alien text={vote.rationale} /></span></li>)}</ul>}
      </div>
    </details>
  );
}

/** A panel's labels, in its own order. */
function Votes({ votes }: { readonly votes: NonNullable<ClaimForm["votes"]> }): JSX.Element {
  const said = votes.map(({ judge, label }) => `${oneLine(judge, 60)} ${wordOf(label)}`);
  return <span class="strip" role="img" aria-label={`panel: ${said.join(", ")}`}>{votes.map(({ label }, at) => <span key={at}><LabelMark label={label} alone title={said[at] ?? ""} /></span>)}</span>;
}

function LabelStrip({ labels, now }: { readonly labels: readonly (Label | undefined)[]; readonly now: number }): JSX.Element {
  return (
    <span class="strip" role="img" aria-label={`trials: ${labels.map((label) => (label === undefined ? "not judged" : wordOf(label))).join(", ")}`}>
      {labels.map((label, at) => (label === undefined ? <span key={at} class="lb lb-none" title={`trial ${at + 1}: not judged`} /> : <span key={at} class={at + 1 === now ? "now" : ""}><LabelMark label={label} alone title={`trial ${at + 1}: ${wordOf(label)}`} /></span>))}
    </span>
  );
}

export function Gate({ gate }: { readonly gate: GateForm }): JSX.Element {
  const [whole, setWhole] = useState(false);
  return (
    <li class="gate" data-problem={gate.passed ? undefined : ""}>
      <CheckMark holds={gate.passed} alone />
      <span class={`mono ${gate.passed ? "mid" : ""}`}><Alien text={gate.id} /></span>
      {gate.error === undefined ? null : <p class="diag odd"><Alien text={gate.error} /></p>}
      {gate.diagnostic === undefined ? null : whole ? <Pieces words={gate.diagnostic} /> : <p class="diag"><Alien text={gate.diagnostic.text} />{gate.diagnostic.path === undefined ? null : <> <button type="button" class="quiet-b" onClick={() => setWhole(true)}>all of it</button></>}</p>}
    </li>
  );
}

export function Score({ score }: { readonly score: ScoreForm }): JSX.Element {
  const { score: value, threshold, thresholdMax, passed } = score;
  const missed = passed === false;
  return (
    <li class="score" data-problem={missed || score.error !== undefined ? "" : undefined}>
      <span class="mono cut" title={score.id}><Alien text={score.id} /></span>
      <svg class="sbar" viewBox="0 0 80 14" aria-hidden="true">
        <rect class="s-bg" x="0" y="5" width="80" height="4" rx="2" />
        {value === undefined ? null : <rect class={missed ? "s-miss" : "s-ok"} x="0" y="5" width={80 * value} height="4" rx="2" />}
        {threshold === undefined ? null : <path class="s-th" d={`M${(80 * threshold).toFixed(1)} 1v12`} />}
        {thresholdMax === undefined ? null : <path class="s-th" d={`M${(80 * thresholdMax).toFixed(1)} 1v12`} />}
      </svg>
      <span class={`num ${missed ? "strong" : ""}`}>{value === undefined ? "–" : value.toFixed(2)}</span>
      <span class="quiet s-thk">{barOf(score)}</span>
      {score.error === undefined && score.notScorable === undefined && score.reason === undefined ? null : <p class={score.error === undefined ? "quiet s-why" : "diag odd s-why"}><Alien text={score.error ?? score.notScorable ?? score.reason ?? ""} /></p>}
    </li>
  );
}

function barOf({ score, threshold, thresholdMax }: ScoreForm): string {
  if (threshold !== undefined) return `${score !== undefined && score < threshold ? "<" : "≥"} ${threshold.toFixed(2)}`;
  return thresholdMax === undefined ? "" : `${score !== undefined && score > thresholdMax ? ">" : "≤"} ${thresholdMax.toFixed(2)}`;
}
