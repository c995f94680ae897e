// Owns the rate: an estimate is never drawn without its interval, and the axis is the same wherever it stands.

import type { JSX } from "preact";
import type { Rate as RateValue } from "../../answer/form.ts";
import { percent, percentRange } from "./number.ts";

const WIDTH = 112;
const FROM = 0.5;

/** Axis from 50 to 100%. An interval that leaves it ends in an arrow; the accent line is the baseline. */
export function Whisker({ rate, interval, reference, width = WIDTH }: { readonly rate: number; readonly interval: readonly [number, number]; readonly reference?: number | undefined; readonly width?: number }): JSX.Element {
  const x = (share: number): number => 1 + (Math.max(FROM, Math.min(1, share)) - FROM) * ((width - 2) / (1 - FROM));
  const [lower, upper] = interval;
  const out = lower < FROM;
  const left = x(lower);
  const right = x(upper);
  return (
    <svg class="whisk" viewBox={`0 0 ${width} 14`} width={width} aria-hidden="true">
      <path class="ax" d={`M1 7H${width - 1}M1 4v6M${width - 1} 4v6`} />
      {reference === undefined || reference < FROM ? null : <path class="ref" d={`M${x(reference).toFixed(1)} 1.5v11`} />}
      {upper < FROM ? null : <path class="ci-l" d={`M${left.toFixed(1)} 7H${right.toFixed(1)}M${right.toFixed(1)} 4.5v5${out ? "" : `M${left.toFixed(1)} 4.5v5`}`} />}
      {out ? <path class="ci-l out" d="M5 3.5 1.5 7 5 10.5" /> : null}
      {rate < FROM ? null : <circle class="dot" cx={x(rate).toFixed(1)} cy="7" r="3" />}
    </svg>
  );
}

export function Rate({ value, reference, whisker = true }: { readonly value: RateValue; readonly reference?: number | undefined; readonly whisker?: boolean }): JSX.Element {
  return (
    <span class="rw">
      {whisker ? <Whisker rate={value.rate} interval={value.interval} reference={reference} /> : null}
      <span class="rate" title={`${value.passed} of ${value.judged} judged passed`}>
        <b>{value.judged < 10 ? `${value.passed} of ${value.judged}` : percent(value.rate)}</b>
        <span class="ci">{percentRange(value.interval)}</span>
      </span>
    </span>
  );
}

/** The past of a suite: a line in its interval, the latest run at its end. */
export function Spark({ past, bad }: { readonly past: readonly (readonly [number, number, number] | null)[]; readonly bad: boolean }): JSX.Element {
  const known = past.flatMap((point, at) => (point === null ? [] : [{ at, point }]));
  const last = known.at(-1);
  if (last === undefined) return <span class="quiet">nothing judged</span>;
  const x = (at: number): string => (past.length === 1 ? 145 : 3 + (142 * at) / (past.length - 1)).toFixed(1);
  const low = Math.min(FROM, ...known.map(({ point }) => point[1]));
  const y = (share: number): string => (3 + ((1 - share) / (1 - low)) * 20).toFixed(1);
  const upper = known.map(({ at, point }) => `${x(at)} ${y(point[2])}`);
  const lower = known.toReversed().map(({ at, point }) => `${x(at)} ${y(point[1])}`);
  return (
    <svg class="spark" viewBox="0 0 148 26" role="img" aria-label={`pass rate over the last ${past.length} runs, now ${percent(last.point[0])}`}>
      <path class="band" d={`M${[...upper, ...lower].join("L")}Z`} />
      <path class="ln" d={`M${known.map(({ at, point }) => `${x(at)} ${y(point[0])}`).join("L")}`} />
      <circle class={bad ? "last-bad" : "last"} cx={x(last.at)} cy={y(last.point[0])} r="2.75" />
    </svg>
  );
}

/** A quiet bar from 0 to 1. */
export function Progress({ share, label }: { readonly share: number; readonly label: string }): JSX.Element {
  return (
    <svg class="whisk prog" viewBox="0 0 112 14" width="112" role="img" aria-label={label}>
      <rect class="prog-bg" x="1" y="5" width="110" height="4" rx="2" />
      <rect class="prog-fg" x="1" y="5" width={(110 * Math.max(0, Math.min(1, share))).toFixed(1)} height="4" rx="2" />
    </svg>
  );
}
