// Owns the wall: scenario by run, the most unsteady first. A dot is a pass; anything else has its mark, paler where it repeats the run before.

import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Outcome } from "../../../core/outcome.ts";
import { outcomesOf } from "../../answer/outcome-letter.ts";
import type { TrendsAnswer, WallRow } from "../../answer/trends-form.ts";
import { Alien } from "../part/alien.tsx";
import { OutcomeMark } from "../part/mark.tsx";
import { count, plural, shortDay } from "../part/number.ts";
import { addressOf, setQuery } from "../route.ts";

const SHOWN: readonly Outcome[] = ["passed", "failed", "scored", "errored", "skipped"];

export function Wall({ answer: { wall, wallRuns, steady, moreWall, suite } }: { readonly answer: TrendsAnswer }): JSX.Element {
  const quarter = Math.max(1, Math.floor(wallRuns.length / 4));
  const last = wallRuns.at(-1);
  const box = useRef<HTMLDivElement>(null);
  // Where there is no room for all runs, the newest are seen first.
  useLayoutEffect(() => {
    if (box.current !== null) box.current.scrollLeft = box.current.scrollWidth;
  }, [last?.id]);
  return (
    <section class="sec" aria-labelledby="wa">
      <div class="sec-h">
        <h2 id="wa">Scenario by run</h2>
        <span class="quiet">last {plural(wallRuns.length, "run")}, most unsteady first, a repeated mark is paler; {steady === 0 ? "none always passed" : `${count(steady)} that always passed ${steady === 1 ? "is" : "are"} folded`}</span>
        <span class="end quiet legend">{SHOWN.map((outcome) => <OutcomeMark key={outcome} outcome={outcome} />)}</span>
      </div>
      {wall.length === 0 ? <p class="sheet pad quiet">Every scenario passed in every run.</p> : (
        <div class="sheet scroll" ref={box} tabIndex={0} role="region" aria-label="Table: scenario by run">
          <table class="tbl wall">
            <thead><tr><th class="w-n" scope="col">Scenario</th><th class="w-f num" scope="col">Flips</th><th class="w-c" scope="col"><span class="w-h">{[0, 1, 2, 3].map((at) => <span key={at}>{wallRuns[at * quarter] === undefined || wallRuns.length < 4 ? "" : shortDay(wallRuns[at * quarter]?.at ?? "")}</span>)}<span class="w-last">{last === undefined ? "" : `#${last.n}`}</span></span></th><th class="num w-r" scope="col">Passed</th></tr></thead>
            <tbody>{wall.map((row) => <Row key={row.id} row={row} suite={suite} runs={wallRuns} />)}</tbody>
          </table>
        </div>
      )}
      {moreWall > 0 ? <p class="quiet foot">and {count(moreWall)} more</p> : null}
    </section>
  );
}

function Row({ row, runs }: { readonly row: WallRow; readonly suite: string; readonly runs: TrendsAnswer["wallRuns"] }): JSX.Element {
  const last = runs.at(-1);
  return (
    <tr>
      <td class="mono cut"><a href={last === undefined ? "#/" : addressOf(["run", last.id, row.id])}><Alien text={row.id} /></a></td>
      <td class={`num ${row.flips === 0 ? "quiet" : "strong"}`}><button type="button" title="The trend of this scenario" aria-label={`${row.flips} flips, show the trend of ${row.id}`} onClick={() => setQuery({ scenario: row.id, tag: undefined })}>{row.flips}</button></td>
      <td><Cells row={row} /></td>
      <td class="num mid nowrap">{row.passed} of {row.of}</td>
    </tr>
  );
}

function Cells({ row }: { readonly row: WallRow }): JSX.Element {
  const letters = row.cells.split("");
  return (
    <svg class="cells" role="img" aria-label={`${row.id}: ${row.passed} of ${row.of} runs passed`}>
      {letters.map((letter, at) => {
        const [outcome] = outcomesOf(letter);
        const x = `${((at + 0.5) * (100 / letters.length)).toFixed(3)}%`;
        if (outcome === undefined) return null;
        if (outcome === "passed") return <circle key={at} class="c-dot" cx={x} cy="13" r="2.25" />;
        return <svg key={at} x={x} overflow="visible"><g class={`oc oc-${outcome} ${letters[at - 1] === letter ? "again" : ""}`}><use href={`#o-${outcome}`} x="-7" y="6" width="14" height="14" /></g></svg>;
      })}
    </svg>
  );
}
