// Owns the verdict of a comparison: in words, then as numbers, then as a plot of intervals.

import type { JSX } from "preact";
import type { CompareAnswer } from "../../answer/compare-form.ts";
import { Icon } from "../part/mark.tsx";
import { percent, percentRange, plural } from "../part/number.ts";
import { Alien } from "../part/alien.tsx";
import { Command } from "../part/small.tsx";
import { IntervalPlot } from "../part/interval-plot.tsx";

const TITLES = { regressed: "Regressed", improved: "Improved", "no evidence": "No evidence", "too few": "Too few" } as const;
const CLASSES = { regressed: "regressed", improved: "improved", "no evidence": "none", "too few": "few" } as const;
const DRAWINGS = { regressed: "v-regressed", improved: "v-improved", "no evidence": "v-no-evidence", "too few": "v-too-few" } as const;
const METHODS = { tango: "Tango interval", t: "Student’s interval", "clustered t": "Student’s interval, clustered", stratified: "interval by trials" } as const;

export function ComparisonVerdictSheet({ answer }: { readonly answer: CompareAnswer }): JSX.Element {
  const { verdict, words, before, after, method, margin, level, smallestDrop, gate, groups } = answer;
  const plotted = answer.difference !== null && answer.interval !== null;
  return (
    <section class="sheet verdict-sheet" aria-labelledby="vt">
      <div class="v-say">
        <h2 class={`verdict vd-${CLASSES[verdict]}`} id="vt"><Icon name={DRAWINGS[verdict]} /><span>{TITLES[verdict]}</span></h2>
        <p class="lead">{weighed(words.slice(1, 3).join(" "))}</p>
        {words.slice(3).map((sentence) => <p key={sentence} class="mid"><Alien text={sentence} /></p>)}
        {answer.warnings.map((warning) => <p key={warning.code} class="warnk"><Alien text={warning.message} />.</p>)}
        {verdict === "too few" ? <Command text={`npx entail run${answer.trialsNeeded === null ? "" : ` --trials ${answer.trialsNeeded}`} --baseline`} /> : null}
        <dl class="kv v-kv">
          <dt>Before</dt><dd><SideRate side={before} /></dd>
          <dt>After</dt><dd><SideRate side={after} /></dd>
          <dt>Test</dt><dd>{method === null ? "none" : METHODS[method]}, paired by {answer.unit === "trial" ? "trial" : answer.unit ?? "scenario"}{trialsOf(after)}</dd>
          <dt>Gate</dt><dd>{margin > 0 ? `margin ${(margin * 100).toFixed(0)} points, ` : ""}level {((1 - level) * 100).toFixed(0)}%: exit {gate.exitCode}</dd>
          {smallestDrop === null ? null : <><dt>Power</dt><dd>finds a fall of {(smallestDrop * 100).toFixed(0)} points 4 times in 5</dd></>}
        </dl>
      </div>
      {plotted ? (
        <figure class="v-plot" tabIndex={0}>
          <figcaption><b>Change in pass rate</b> <span class="quiet">points, 95% interval{margin > 0 ? "; dotted: margin" : ""}{groups.length > 0 ? "; tags hold together" : ""}</span></figcaption>
          <IntervalPlot
            margin={margin}
            rows={[
              { name: "All", n: answer.scenarios, estimate: answer.difference ?? 0, interval: answer.interval ?? [0, 0], all: true },
              ...groups.slice(0, 16).flatMap((group) => (group.difference === null || group.interval === null ? [] : [{ name: group.name, n: group.scenarios, estimate: group.difference, interval: group.interval, all: false }])),
            ]}
          />
        </figure>
      ) : null}
    </section>
  );
}

const WEIGHTY = /(\d[\d,]* got (?:worse|better)|by [\d.]+ points(?=,| |;))/;

/** The same sentence, its counts and its points in bold. */
const weighed = (sentence: string): readonly (JSX.Element | string)[] => sentence.split(WEIGHTY).map((part, at) => (at % 2 === 1 ? <b key={at}>{part}</b> : part));

function SideRate({ side }: { readonly side: CompareAnswer["before"] }): JSX.Element {
  if (side.rate === undefined) return <span class="quiet">nothing judged</span>;
  return <><span class="rate"><b>{percent(side.rate.rate)}</b><span class="ci">{percentRange(side.rate.interval)}</span></span> <span class="quiet">mean over scenarios, {plural(side.rate.trials, "trial")}</span></>;
}

const trialsOf = ({ trials }: CompareAnswer["after"]): string => (trials === undefined || trials[1] === 1 ? "" : `, ${trials[0] === trials[1] ? trials[0] : `${trials[0]} to ${trials[1]}`} trials each`);
