// Owns the marks: outcomes are round, labels square, checks bare, comparisons arrows; shape and word come before colour.

import type { JSX } from "preact";
import type { ComparisonVerdict } from "../../../core/comparison.ts";
import type { Label } from "../../../core/label.ts";
import type { Outcome } from "../../../core/outcome.ts";
import type { RunState } from "../../answer/form.ts";
import type { Drawing } from "./sprite.tsx";

export function Icon({ name, class: own = "" }: { readonly name: Drawing; readonly class?: string }): JSX.Element {
  return (
    <svg class={`ic ${own}`} aria-hidden="true">
      <use href={`#${name}`} />
    </svg>
  );
}

export type Shown = RunState | Outcome | "not_reached";

const drawingOf = (outcome: Shown): Drawing => (outcome === "incomplete" ? "o-cancelled" : `o-${outcome}`);
export const wordOf = (text: string): string => text.replaceAll("_", " ");

interface MarkProps {
  /** Alone, without its word, where a row or a strip has many. */
  readonly alone?: boolean | undefined;
  /** Another word than the outcome's own. */
  readonly word?: JSX.Element | string | undefined;
  readonly title?: string | undefined;
}

export function OutcomeMark({ outcome, alone, word, title }: MarkProps & { readonly outcome: Shown }): JSX.Element {
  const icon = <Icon name={drawingOf(outcome)} class={outcome === "running" ? "spin" : ""} />;
  const name = `oc oc-${outcome === "incomplete" ? "cancelled" : outcome}`;
  if (alone === true) return <span class={name} role="img" aria-label={title ?? wordOf(outcome)} title={title ?? wordOf(outcome)}>{icon}</span>;
  return <span class={name} title={title}>{icon}<span>{word ?? wordOf(outcome)}</span></span>;
}

export function LabelMark({ label, alone, word, title }: MarkProps & { readonly label: Label }): JSX.Element {
  const icon = <Icon name={`l-${label}`} />;
  if (alone === true) return <span class={`lb lb-${label}`} role="img" aria-label={title ?? wordOf(label)} title={title ?? wordOf(label)}>{icon}</span>;
  return <span class={`lb lb-${label}`}>{icon}<span>{word ?? wordOf(label)}</span></span>;
}

export function CheckMark({ holds, alone, word }: MarkProps & { readonly holds: boolean }): JSX.Element {
  const icon = <Icon name={holds ? "c-yes" : "c-no"} />;
  const name = `ck ck-${holds ? "yes" : "no"}`;
  if (alone === true) return <span class={name} role="img" aria-label={holds ? "holds" : "does not hold"}>{icon}</span>;
  return <span class={name}>{icon}<span>{word ?? (holds ? "holds" : "fails")}</span></span>;
}

const VERDICT_NAMES = { regressed: "regressed", improved: "improved", "no evidence": "none", "too few": "few" } as const;

export function VerdictMark({ verdict, word }: { readonly verdict: ComparisonVerdict; readonly word?: JSX.Element | string | undefined }): JSX.Element {
  const drawing = { regressed: "v-regressed", improved: "v-improved", "no evidence": "v-no-evidence", "too few": "v-too-few" } as const;
  return <span class={`vd vd-${VERDICT_NAMES[verdict]}`}><Icon name={drawing[verdict]} /><span>{word ?? verdict}</span></span>;
}

/** The trials of a scenario side by side; more than the row carries are counted. */
export function Strip({ outcomes, more }: { readonly outcomes: readonly Outcome[]; readonly more?: number | undefined }): JSX.Element {
  return (
    <span class="strip-w">
      <span class="strip" role="img" aria-label={`trials: ${outcomes.map(wordOf).join(", ")}`}>
        {outcomes.map((outcome, at) => (
          <span key={at} class={`oc oc-${outcome}`} title={`trial ${at + 1}: ${wordOf(outcome)}`}><Icon name={`o-${outcome}`} /></span>
        ))}
      </span>
      {more === undefined ? null : <span class="quiet more-n">of {more}</span>}
    </span>
  );
}

export function Flip({ before, after, word = true }: { readonly before: Outcome; readonly after: Outcome; readonly word?: boolean }): JSX.Element {
  return (
    <span class="flip">
      <OutcomeMark outcome={before} alone={!word} />
      <Icon name="arrow" class="arrow" />
      <OutcomeMark outcome={after} alone={!word} />
    </span>
  );
}
