// Owns the line of a pass rate in the ribbon of its interval; what happened as dotted lines; open branches beside it, never in it.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { TrendPoint, TrendsAnswer } from "../../answer/trends-form.ts";
import { Alien } from "./alien.tsx";
import { named, ticksOf, xOf } from "./chart-scale.ts";
import { percent, percentRange, shortDay } from "./number.ts";
import { stepOf } from "../../answer/step.ts";

const TOP = 14;
const BOTTOM = 202;

type Judged = TrendPoint & { readonly interval: readonly [number, number] };
const isJudged = (point: TrendPoint): point is Judged => point.interval !== undefined;
const rateOf = ({ passed, judged }: TrendPoint): number => passed / judged;

interface Happened {
  readonly at: number;
  readonly text: string;
  readonly baseline: boolean;
}

/** A model that judges otherwise, a note that changed, the accepted baseline. */
function happenedOf(points: readonly Judged[], baseline: string | undefined): readonly Happened[] {
  return points.flatMap((point, at) => {
    const before = points[at - 1];
    if (point.id === baseline) return [{ at, text: `baseline #${point.n}`, baseline: true }];
    if (before !== undefined && point.model !== undefined && before.model !== undefined && point.model !== before.model) return [{ at, text: `judge ${point.model}`, baseline: false }];
    if (before !== undefined && point.note !== undefined && point.note !== before.note) return [{ at, text: point.note, baseline: false }];
    return [];
  }).slice(-6);
}

export function RateChart({ answer }: { readonly answer: TrendsAnswer }): JSX.Element {
  const [shown, setShown] = useState<Judged | undefined>(undefined);
  const points = answer.points.filter(isJudged);
  const open = answer.open.filter(isJudged);
  const lowest = Math.min(0.5, ...[...points, ...open].map(({ interval }) => interval[0]));
  const ticks = ticksOf(Math.max(0, Math.floor(lowest * 10) / 10), 1).filter((tick) => tick <= 1 + 1e-9);
  const from = ticks[0] ?? 0;
  const y = (share: number): number => Number((BOTTOM - ((share - from) / (1 - from)) * (BOTTOM - TOP)).toFixed(1));
  const x = (at: number): number => xOf(at, points.length);
  const last = points.at(-1);
  const ribbon = `M${[...points.map(({ interval }, at) => `${x(at)} ${y(interval[1])}`), ...points.map(({ interval }, at) => `${x(at)} ${y(interval[0])}`).toReversed()].join("L")}Z`;
  const label = `Pass rate of ${answer.suite} over ${points.length} runs with its 95% interval: ${points.map((point) => `#${point.n} ${percent(rateOf(point))}`).join(", ")}${open.map((point) => `; on ${point.branch ?? "another branch"} #${point.n} ${percent(rateOf(point))}`).join("")}.`;
  return (
    <div class="ch-w">
      <div class="ch ch-main" role="img" aria-label={label}>
        <svg class="chart" width="44" height="236" aria-hidden="true">{ticks.map((tick) => <text key={tick} x="36" y={y(tick) + 4} text-anchor="end">{percent(tick, 0)}</text>)}</svg>
        <svg class="chart" width="100%" height="236" aria-hidden="true">
          {ticks.map((tick) => <line key={tick} class="grid" x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />)}
          {points.length < 2 ? null : <svg x="0" y="0" width="100%" height="236" viewBox="0 0 100 236" preserveAspectRatio="none"><path class="band" vector-effect="non-scaling-stroke" d={ribbon} /></svg>}
          {happenedOf(points, answer.baseline).map(({ at, text, baseline }, index) => (
            <g key={at}>
              <line class="margin" x1={`${x(at)}%`} x2={`${x(at)}%`} y1={TOP} y2={BOTTOM} />
              <svg x={`${x(at)}%`} overflow="visible"><text class="t-mid alt" x={x(at) > 80 ? -5 : 5} y={BOTTOM - 6 - (index % 2) * 14} text-anchor={x(at) > 80 ? "end" : "start"}>{text.slice(0, 28)}</text></svg>
              {baseline ? <svg x={`${x(at)}%`} y={TOP} overflow="visible"><path class="flag" d="M0 0h11l-2.5 3.5L11 7H1.5v8H0Z" /></svg> : null}
            </g>
          ))}
          {points.length < 2 ? null : <svg x="0" y="0" width="100%" height="236" viewBox="0 0 100 236" preserveAspectRatio="none"><path class="ln" vector-effect="non-scaling-stroke" d={`M${points.map((point, at) => `${x(at)} ${y(rateOf(point))}`).join("L")}`} /></svg>}
          {points.map((point, at) => <circle key={point.id} class="pt" cx={`${x(at)}%`} cy={y(rateOf(point))} r="2.75" />)}
          {points.length === 1 && points[0] !== undefined ? <line class="wl" x1="50%" x2="50%" y1={y(points[0].interval[0])} y2={y(points[0].interval[1])} /> : null}
          {named(points.length, 7).map((at, index) => <text key={at} class={index % 3 === 0 ? "" : "alt"} x={`${x(at)}%`} y="224" text-anchor={at === 0 && points.length > 1 ? "start" : "middle"}>{shortDay(points[at]?.at ?? "")}</text>)}
          {points.map((point, at) => <rect key={point.id} class="hit" x={`${Math.max(0, x(at) - 50 / Math.max(1, points.length))}%`} y={TOP} width={`${100 / Math.max(1, points.length)}%`} height={BOTTOM - TOP} onMouseEnter={() => setShown(point)} onMouseLeave={() => setShown(undefined)} />)}
        </svg>
        <svg class="chart" width="164" height="236" aria-hidden="true">
          {ticks.map((tick) => <line key={tick} class="grid" x1="0" x2={open.length > 0 ? 66 : 0} y1={y(tick)} y2={y(tick)} />)}
          {last === undefined ? null : <text x={open.length > 0 ? 10 : 12} y={Math.max(TOP + 4, y(rateOf(last)) - 8)}><tspan class="t-ink">{percent(rateOf(last))}</tspan> <tspan dx="4">{`${(last.branch ?? "").slice(0, 12)} #${last.n}`.trim()}</tspan></text>}
          {open.map((point, at) => {
            const px = 26 + at * (60 / Math.max(1, open.length));
            const bad = last !== undefined && rateOf(point) < rateOf(last);
            return (
              <g key={point.id}>
                {at === 0 && last !== undefined ? <path class="ln-3" d={`M0 ${y(rateOf(last))}L${px} ${y(rateOf(point))}`} /> : at > 0 && open[at - 1] !== undefined ? <path class="ln-3" d={`M${26 + (at - 1) * (60 / open.length)} ${y(rateOf(open[at - 1] as Judged))}L${px} ${y(rateOf(point))}`} /> : null}
                <path class="wl" d={`M${px} ${y(point.interval[0])}V${y(point.interval[1])}`} />
                <circle class={bad ? "pt-off" : "pt"} cx={px} cy={y(rateOf(point))} r="4" />
                {at === open.length - 1 ? <><text class={bad ? "t-bad" : "t-mid"} x={px + 12} y={y(rateOf(point)) + 2}>{percent(rateOf(point))}</text><text x={px + 12} y={y(rateOf(point)) + 16}>{(point.branch ?? "").slice(0, 14)}</text></> : null}
              </g>
            );
          })}
        </svg>
      </div>
      {shown === undefined ? null : (
        <div class="tip sheet" style={{ left: `calc(44px + (100% - 208px) * ${x(points.indexOf(shown)) / 100} + 8px)`, top: "40px" }}>
          <div class="strong">{percent(rateOf(shown))}</div>
          <div class="quiet">{percentRange(shown.interval)}, {shown.passed} of {shown.judged}</div>
          <div class="quiet">#{shown.n}, {shortDay(shown.at)}{shown.note === undefined ? null : <>, <Alien text={shown.note.slice(0, 40)} /></>}</div>
        </div>
      )}
      <details class="ch-t"><summary class="quiet">as a table</summary>
        <table class="tbl"><thead><tr><th scope="col">Run</th><th scope="col">Started</th><th class="num" scope="col">Passed</th><th class="num" scope="col">Rate</th><th class="num" scope="col">95% interval</th></tr></thead>
          <tbody>{[...points, ...open].toReversed().map((point) => <tr key={point.id}><td><a class="mono" href={`#/run/${stepOf(point.id)}`}>#{point.n}</a> <span class="quiet"><Alien text={point.branch ?? ""} /></span></td><td class="quiet">{shortDay(point.at)}</td><td class="num">{point.passed} of {point.judged}</td><td class="num">{percent(rateOf(point))}</td><td class="num quiet">{percentRange(point.interval)}</td></tr>)}</tbody>
        </table>
      </details>
    </div>
  );
}
