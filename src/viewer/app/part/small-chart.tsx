// Owns a small chart over the runs of a suite: lines, or bars for counts.

import type { JSX } from "preact";
import type { TrendPoint } from "../../answer/trends-form.ts";
import { named, ticksOf, xOf } from "./chart-scale.ts";
import { shortDay } from "./number.ts";

const TOP = 8;
const BOTTOM = 96;

interface SmallChartProps {
  readonly kind: "line" | "bars";
  readonly points: readonly TrendPoint[];
  readonly series: readonly ((point: TrendPoint) => number | undefined)[];
  /** How many of the last points are on other branches: they stand beside the line. */
  readonly open: number;
  readonly figure: (value: number) => string;
  readonly label: string;
}

export function SmallChart({ kind, points, series, open, figure, label }: SmallChartProps): JSX.Element {
  const values = series.flatMap((read) => points.flatMap((point) => read(point) ?? []));
  const ticks = ticksOf(0, Math.max(...values, kind === "bars" ? 1 : 1e-6), 2).filter((tick) => kind === "line" || Number.isInteger(tick));
  const high = ticks.at(-1) ?? 1;
  const y = (value: number): number => Number((BOTTOM - (value / high) * (BOTTOM - TOP)).toFixed(1));
  const x = (at: number): number => (kind === "bars" ? Number(((100 * (at + 0.5)) / points.length).toFixed(3)) : xOf(at, points.length));
  return (
    <div class="ch ch-s" role="img" aria-label={label}>
      <svg class="chart" width="52" height="118" aria-hidden="true">{ticks.map((tick) => <text key={tick} x="46" y={y(tick) + 4} text-anchor="end">{figure(tick)}</text>)}</svg>
      <svg class="chart" width="100%" height="118" aria-hidden="true">
        {ticks.map((tick) => <line key={tick} class="grid" x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />)}
        {kind === "bars"
          ? points.map((point, at) => { const value = series[0]?.(point) ?? 0; return value === 0 ? null : <svg key={point.id} x={`${x(at)}%`} overflow="visible"><rect class="colbar-bad" x="-2.5" y={y(value)} width="5" height={BOTTOM - y(value)} rx="1" /></svg>; })
          : series.map((read, index) => <Line key={index} name={index === 0 ? "ln-2" : "ln-3"} at={points.flatMap((point, place) => { const value = read(point); return value === undefined || place >= points.length - open ? [] : [[x(place), y(value)] as const]; })} off={points.flatMap((point, place) => { const value = read(point); return value === undefined || place < points.length - open ? [] : [[x(place), y(value)] as const]; })} />)}
        {named(points.length, 4).map((at) => <text key={at} class={at % 2 === 0 ? "" : "alt"} x={`${x(at)}%`} y="114" text-anchor={at === 0 ? "start" : "middle"}>{shortDay(points[at]?.at ?? "")}</text>)}
      </svg>
    </div>
  );
}

function Line({ name, at, off }: { readonly name: string; readonly at: readonly (readonly [number, number])[]; readonly off: readonly (readonly [number, number])[] }): JSX.Element {
  return (
    <>
      {at.length < 2 ? at.map(([cx, cy]) => <circle key={cx} class="pt" cx={`${cx}%`} cy={cy} r="2.75" />) : <svg x="0" y="0" width="100%" height="118" viewBox="0 0 100 118" preserveAspectRatio="none"><path class={name} vector-effect="non-scaling-stroke" d={`M${at.map(([px, py]) => `${px} ${py}`).join("L")}`} /></svg>}
      {off.map(([cx, cy]) => <circle key={cx} class="pt-off" cx={`${cx}%`} cy={cy} r="3" />)}
    </>
  );
}
