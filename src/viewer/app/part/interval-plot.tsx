// Owns the plot of intervals about zero: the whole first and in bold, then its groups, worse to the left.

import type { JSX } from "preact";
import { points } from "./number.ts";

export interface PlotRow {
  readonly name: string;
  readonly n: number;
  /** From -1 to 1. */
  readonly estimate: number;
  readonly interval: readonly [number, number];
  readonly all: boolean;
}

const LEFT = 116;
const RIGHT = 480;
const STEP = 22;

export function IntervalPlot({ rows, margin }: { readonly rows: readonly PlotRow[]; readonly margin: number }): JSX.Element {
  const lows = Math.min(-0.1, ...rows.map(({ interval }) => interval[0]));
  const highs = Math.max(0.1, ...rows.map(({ interval }) => interval[1]));
  const [from, to] = [Math.floor(lows * 10) / 10, Math.ceil(highs * 10) / 10];
  const x = (share: number): number => LEFT + ((share - from) / (to - from)) * (RIGHT - LEFT);
  const tick = [0.1, 0.2, 0.25, 0.5].find((size) => (to - from) / size <= 7) ?? 0.5;
  const ticks = Array.from({ length: Math.floor((to - from) / tick + 1e-9) + 1 }, (_, at) => Math.ceil(from / tick - 1e-9) * tick + at * tick).filter((value) => value <= to + 1e-9);
  const hasGroups = rows.length > 1;
  const bottom = 62 + (hasGroups ? 8 : 0) + (rows.length - 1) * STEP + 10;
  const y = (at: number): number => (at === 0 ? 46 : 80 + (at - 1) * STEP);
  const [all] = rows;
  const worse = all !== undefined && all.interval[1] < -margin;
  const label = `Change in pass rate: ${rows.map(({ name, n, estimate, interval }) => `${name}, ${n} pairs, ${points(estimate)} points, ${points(interval[0])} to ${points(interval[1])}`).join("; ")}.`;
  return (
    <svg class="chart plot" viewBox={`0 0 640 ${bottom + 20}`} role="img" aria-label={label}>
      <rect class="worse" x={LEFT} y="26" width={Math.max(0, x(-margin) - LEFT)} height={bottom - 26} />
      <text x={x(0) - 10} y="14" text-anchor="end">worse</text><text x={x(0) + 10} y="14">better</text>
      <path class="zero" d={`M${x(0)} 4V${bottom}`} />
      {margin > 0 ? <path class="margin" d={`M${x(-margin)} 26V${bottom}`} /> : null}
      {ticks.map((value) => <g key={value}><path class="grid" d={`M${x(value)} ${bottom}v4`} /><text x={x(value)} y={bottom + 16} text-anchor="middle">{Math.abs(value) < 1e-9 ? "0" : `${value < 0 ? "−" : "+"}${Math.abs(value * 100).toFixed(0)}`}</text></g>)}
      {hasGroups ? <path class="grid" d="M0 66H640" /> : null}
      {rows.map(({ name, n, estimate, interval, all: whole }, at) => (
        <g key={name}>
          <text class={whole ? "t-ink" : "t-mid"} x="0" y={y(at) + 4}>{name.length > 13 ? `${name.slice(0, 12)}…` : name}</text>
          <text x="104" y={y(at) + 4} text-anchor="end">{n}</text>
          <path class={whole && worse ? "wl-bad" : "wl"} d={`M${x(interval[0]).toFixed(1)} ${y(at)}H${x(interval[1]).toFixed(1)}`} />
          {whole ? <path class={worse ? "wd-bad" : "wd"} d={`M${x(estimate).toFixed(1)} ${y(at) - 7}l7 7-7 7-7-7Z`} /> : <circle class="wd" cx={x(estimate).toFixed(1)} cy={y(at)} r="3.5" />}
          <text class={whole ? "t-ink" : "t-mid"} x="534" y={y(at) + 4} text-anchor="end">{points(estimate)}</text>
          <text class={whole ? "t-mid" : ""} x="640" y={y(at) + 4} text-anchor="end">{points(interval[0])} to {points(interval[1])}</text>
        </g>
      ))}
    </svg>
  );
}
