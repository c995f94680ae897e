// Owns the measured quality of a judge: six facts, the confusion matrix, each label, and what its errors make of a rate.

import type { ComponentChildren, JSX } from "preact";
import { LABELS } from "../../../core/label.ts";
import type { JudgeAnswer, Quality, RateOfClaims, Share } from "../../answer/judge-form.ts";
import { source } from "../answers.ts";
import { Alien } from "../part/alien.tsx";
import { LabelMark, wordOf } from "../part/mark.tsx";
import { count, dollars, duration, percent, percentRange, plural } from "../part/number.ts";
import { Whisker } from "../part/rate.tsx";
import { Empty, Kbd } from "../part/small.tsx";
import { setQuery } from "../route.ts";
import { LabelledRows } from "./labelled-rows.tsx";

export function JudgeQuality({ answer, cell }: { readonly answer: JudgeAnswer; readonly cell: string }): JSX.Element {
  const { quality } = answer;
  return (
    <>
      {quality === undefined ? <Unmeasured answer={answer} /> : (
        <>
          <Facts quality={quality} />
          <div class="two two-j">
            <Matrix quality={quality} cell={cell} />
            <div><ByLabel quality={quality} />{answer.rate === undefined ? null : <Rates rate={answer.rate} />}</div>
          </div>
          {cell === "" ? null : <LabelledRows cell={cell} fingerprint={answer.fingerprint ?? ""} />}
        </>
      )}
      <div class="two two-j">
        <Calibration answer={answer} />
        <Identity answer={answer} />
      </div>
    </>
  );
}

function Unmeasured({ answer }: { readonly answer: JudgeAnswer }): JSX.Element {
  return (
    <>
      <div class="sheet first"><Empty icon="l-indeterminate" title="This judge has no labels yet"><p>Calibration shows that it knows the four labels. How often it is right is unknown until some of its judgments are labelled: 100 are a start.</p>{source().served && answer.waiting > 0 ? <button class="btn btn-1" type="button" onClick={() => setQuery({ view: "label" })}>Label the first <Kbd>↵</Kbd></button> : null}</Empty></div>
      {answer.rate === undefined ? null : <Rates rate={answer.rate} />}
    </>
  );
}

function Facts({ quality: { same, kappa, ac1, people, flips, indeterminate, cost, labels } }: { readonly quality: Quality }): JSX.Element {
  const small = same.of < 10;
  return (
    <section class="sheet facts facts-j" aria-label="Agreement">
      <Fact name="Same label as the human" big={small || same.rate === undefined ? `${same.count} of ${same.of}` : percent(same.rate)}>{count(same.count)} of {count(same.of)}{same.interval === undefined ? "" : `, ${percentRange(same.interval)}`}</Fact>
      <Fact name="Beyond chance" big={kappa === undefined ? "–" : `κ ${kappa.value.toFixed(2)}`}>{ac1 === undefined ? "chance alone explains it" : `AC1 ${ac1.toFixed(2)}`}</Fact>
      <Fact name="Two humans" big={people === undefined ? "–" : `κ ${people.kappa.toFixed(2)}`}>{people === undefined ? "nobody labelled twice" : `the ceiling, ${plural(people.labels, "label")} twice`}</Fact>
      <Fact name="Changes its mind" big={flips?.rate === undefined ? "–" : percent(flips.rate)}>{flips === undefined ? "asked once each" : `same request, ${flips.repeats} times`}</Fact>
      <Fact name="Says indeterminate" big={indeterminate.rate === undefined || small ? `${indeterminate.count} of ${indeterminate.of}` : percent(indeterminate.rate)}>{count(indeterminate.count)} of {count(labels)}</Fact>
      <Fact name="A judgment costs" big={cost === undefined ? "–" : dollars(cost)}>{cost === undefined ? "unknown" : "one request an answer"}</Fact>
    </section>
  );
}

function Fact({ name, big, children }: { readonly name: string; readonly big: string; readonly children: ComponentChildren }): JSX.Element {
  return <div><dl><dt>{name}</dt><dd class="big">{big}</dd><dd class="quiet">{children}</dd></dl></div>;
}

/** A row for each label of a person; every count leads to its judgments. */
function Matrix({ quality: { table, labels, from }, cell }: { readonly quality: Quality; readonly cell: string }): JSX.Element {
  const tone = (share: number): string => (share >= 0.75 ? "m4" : share >= 0.5 ? "m3" : share >= 0.08 ? "m2" : "m1");
  const offTone = (share: number): string => (share >= 0.15 ? "m4" : share >= 0.1 ? "m3" : share >= 0.05 ? "m2" : "m1");
  const rowSum = (row: readonly number[]): number => row.reduce((sum, n) => sum + n, 0);
  return (
    <section class="sec" aria-labelledby="cm">
      <div class="sec-h"><h2 id="cm">Human against judge</h2><span class="quiet">{from === "measurement" ? "test split" : "labels of this store; press a count to read them"}</span></div>
      <div class="sheet pad scroll" tabIndex={0} role="region" aria-label="Table: confusion matrix">
        <table class="cm">
          <thead>
            <tr><th rowSpan={2} class="cm-y">Human</th><th colSpan={4} class="cm-j">Judge says</th><th rowSpan={2} class="num">All</th></tr>
            <tr>{LABELS.map((label) => <th key={label} class="cm-h" scope="col"><LabelMark label={label} /></th>)}</tr>
          </thead>
          <tbody>
            {LABELS.map((human, row) => {
              const counts = table[row] ?? [];
              const all = rowSum(counts);
              return (
                <tr key={human}>
                  <th scope="row"><LabelMark label={human} /></th>
                  {LABELS.map((judge, column) => {
                    const n = counts[column] ?? 0;
                    const share = all === 0 ? 0 : n / all;
                    const key = `${human},${judge}`;
                    return <td key={judge} class={row === column ? `di ${n === 0 ? "" : tone(share)}` : `of ${offTone(share)}`}><button type="button" aria-pressed={cell === key} title={`${n} judgments: human ${wordOf(human)}, judge ${wordOf(judge)}`} onClick={() => setQuery({ cell: cell === key ? undefined : key })}><b>{n}</b><span>{all === 0 ? "" : percent(share, 0)}</span></button></td>;
                  })}
                  <td class="num quiet">{all}</td>
                </tr>
              );
            })}
          </tbody>
          <tfoot><tr><th class="quiet" scope="row">All</th>{LABELS.map((judge, column) => <td key={judge} class="quiet cm-f">{rowSum(table.map((row) => row[column] ?? 0))}</td>)}<td class="num quiet">{labels}</td></tr></tfoot>
        </table>
      </div>
    </section>
  );
}

function ByLabel({ quality: { byLabel } }: { readonly quality: Quality }): JSX.Element {
  return (
    <section class="sec" aria-labelledby="pl">
      <div class="sec-h"><h2 id="pl">By label</h2><span class="quiet">95% interval</span></div>
      <div class="sheet scroll" tabIndex={0} role="region" aria-label="Table: by label">
        <table class="tbl t-per">
          <thead><tr><th class="p-l" scope="col">Label</th><th scope="col">Right when it says so <span class="quiet2">precision</span></th><th scope="col">Says so when it is so <span class="quiet2">recall</span></th></tr></thead>
          <tbody>{byLabel.map(({ label, precision, recall }) => <tr key={label}><td><LabelMark label={label} /></td><td><ShareCell share={precision} /></td><td><ShareCell share={recall} /></td></tr>)}</tbody>
        </table>
      </div>
    </section>
  );
}

function ShareCell({ share: { count: n, of, rate, interval } }: { readonly share: Share }): JSX.Element {
  if (rate === undefined || interval === undefined) return <span class="quiet">no case</span>;
  return <span class="rw"><Whisker rate={rate} interval={interval} width={104} /><span class="rate"><b>{of < 10 ? `${n} of ${of}` : percent(rate, 0)}</b><span class="ci">{percentRange(interval, 0)}</span></span></span>;
}

/** Raw, corrected and the bounds on one axis. */
function Rates({ rate: { run, raw, corrected, bounds, indeterminate } }: { readonly rate: RateOfClaims }): JSX.Element {
  const rows: readonly { readonly name: string; readonly note: string; readonly interval: readonly [number, number]; readonly rate?: number | undefined }[] = [
    { name: "Raw", note: `${count(raw.count)} of ${count(raw.of)}`, interval: raw.interval ?? [0, 1], rate: raw.rate },
    ...(corrected === undefined ? [] : [{ name: "Corrected", note: `by ${plural(corrected.labels, "label")}`, interval: corrected.interval, rate: corrected.rate }]),
    ...(bounds === undefined ? [] : [{ name: "Bounds", note: `${count(indeterminate)} indeterminate`, interval: bounds }]),
  ];
  const low = Math.floor(Math.min(0.75, ...rows.map(({ interval }) => interval[0])) * 20) / 20;
  const x = (share: number): number => 4 + ((share - low) / (1 - low)) * 228;
  return (
    <section class="sec" aria-labelledby="tr">
      <div class="sec-h"><h2 id="tr">What that makes of a rate</h2><span class="quiet">claims held in <Alien text={run.suite} /> #{run.n}, axis {percent(low, 0)} to 100%</span></div>
      <div class="sheet scroll" tabIndex={0} role="region" aria-label="Table: rates">
        <table class="tbl t-three"><tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td><span class="strong">{row.name}</span> <span class="quiet">{row.note}</span></td>
              <td><svg class="chart t3" viewBox="0 0 236 20" aria-hidden="true"><path class="grid" d="M4 10H232M4 6v8M232 6v8" /><path class="wl" d={`M${x(row.interval[0]).toFixed(1)} 10H${Math.max(x(row.interval[0]) + 1, x(row.interval[1])).toFixed(1)}`} />{row.rate === undefined ? null : <circle class="wd" cx={x(row.rate).toFixed(1)} cy="10" r="4" />}</svg></td>
              <td class="nowrap num">{row.rate === undefined ? null : <b class="strong">{percent(row.rate)}</b>} <span class="quiet">{percentRange(row.interval)}</span></td>
            </tr>
          ))}
        </tbody></table>
      </div>
      {corrected === undefined ? <p class="quiet foot">Not corrected: too few labels stand behind it, or the judge is no better than a coin.</p> : null}
    </section>
  );
}

function Calibration({ answer: { probes, calibratedIn, fact } }: { readonly answer: JudgeAnswer }): JSX.Element {
  const right = probes.filter(({ expected, said }) => expected === said).length;
  return (
    <section class="sec" aria-labelledby="ca">
      <div class="sec-h"><h2 id="ca">Calibration{calibratedIn === undefined ? "" : ` before #${calibratedIn.n}`}</h2><span class="quiet">{fact?.calibrated === undefined ? "none was kept" : `${right} of ${probes.length} right${fact.ms === undefined ? "" : `, ${duration(fact.ms)}`}`}</span></div>
      <div class="sheet scroll" tabIndex={0} role="region" aria-label="Table: calibration">
        <table class="tbl t-ca">
          <thead><tr><th scope="col">Probe</th><th class="k-l" scope="col">Expected</th><th class="k-l" scope="col">Judge said</th></tr></thead>
          <tbody>{probes.map(({ text, expected, said }) => <tr key={text}><td class="cut">{text}</td><td><LabelMark label={expected} /></td><td>{said === undefined ? <span class="quiet">nothing</span> : <LabelMark label={said} />}</td></tr>)}</tbody>
        </table>
      </div>
      {fact?.error === undefined ? null : <p class="diag odd"><Alien text={fact.error.message} /></p>}
    </section>
  );
}

function Identity({ answer: { identity } }: { readonly answer: JudgeAnswer }): JSX.Element {
  return (
    <section class="sec" aria-labelledby="fp">
      <div class="sec-h"><h2 id="fp">Fingerprint</h2><span class="quiet">a change in any of these makes the judge unmeasured</span></div>
      <div class="sheet pad"><dl class="kv fp">{identity.map(([name, text]) => <Row key={name} name={name} text={text} />)}</dl></div>
    </section>
  );
}

function Row({ name, text }: { readonly name: string; readonly text: string }): JSX.Element {
  return <><dt>{name}</dt><dd>{name === "request" ? <code class="wrap"><Alien text={text} /></code> : <Alien text={text} />}</dd></>;
}
