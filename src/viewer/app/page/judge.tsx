// Owns the page of a judge: how far can its labels be trusted? Its measured quality, and the queue of judgments to label.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { JudgeAnswer } from "../../answer/judge-form.ts";
import { source, useAnswer } from "../answers.ts";
import { Alien } from "../part/alien.tsx";
import { CheckMark, Icon } from "../part/mark.tsx";
import { day, plural } from "../part/number.ts";
import { ProblemState } from "../part/problem.tsx";
import { Command, Empty, Loading } from "../part/small.tsx";
import { addressOf, go, setQuery } from "../route.ts";
import { useKeys } from "../keys.ts";
import { copy } from "../say.ts";
import { Labelling } from "./labelling.tsx";
import { JudgeQuality } from "./judge-quality.tsx";
import { stepOf } from "../../answer/step.ts";

export function JudgePage({ fingerprint, query }: { readonly fingerprint: string; readonly query: URLSearchParams }): JSX.Element {
  const { value, problem } = useAnswer<JudgeAnswer>(fingerprint === "" ? "judge" : `judge/${stepOf(fingerprint)}`);
  const labelling = query.get("view") === "label" && source().served;
  useEffect(() => {
    document.title = "Judge · Entail";
  }, []);
  useKeys({ y: () => void copy(location.href), Enter: value?.quality === undefined && !labelling && source().served ? () => setQuery({ view: "label" }) : undefined });
  if (problem !== undefined && value === undefined) return <ProblemState problem={problem} parent="#/" parentName="All runs" />;
  if (value === undefined) return <><div class="head"><h1>Judge</h1></div><div class="sheet"><Loading rows={10} /></div></>;
  if (value.fingerprint === undefined) return <div class="sheet first"><Empty icon="l-indeterminate" title="No run had a judge" level={1}><p>A judge labels the claims of an answer. Its page appears after the first run of an evaluation that has one.</p><Command text="npx entail run" /></Empty></div>;
  return (
    <>
      <div class="head">
        <h1>Judge</h1>
        <select class="pick" aria-label="Judge" value={value.fingerprint} onChange={(event) => go(addressOf(["judge", event.currentTarget.value]))}>
          {value.judges.every((judge) => judge.fingerprint !== value.fingerprint) ? <option value={value.fingerprint}>{value.fingerprint.slice(0, 12)}</option> : null}
          {value.judges.map((judge, at) => <option key={judge.fingerprint} value={judge.fingerprint}>{`${judge.fingerprint.slice(0, 12)}, ${at === 0 ? "in use" : `until #${judge.n}`}`}</option>)}
        </select>
        <Calibrated answer={value} />
        <span class="quiet only-wide">{value.quality === undefined ? "nobody has measured it" : value.quality.from === "measurement" ? `measured ${value.quality.at === undefined ? "" : day(value.quality.at)} on ${plural(value.quality.labels, "label")} that no prompt has seen` : `by ${plural(value.quality.labels, "label")} of this store`}</span>
      </div>
      <div class="tabs">
        <div class="tabs-l" role="tablist" aria-label="Judge">
          <button type="button" role="tab" id="tab-quality" aria-controls="view" aria-selected={!labelling} onClick={() => setQuery({ view: undefined })}>Quality</button>
          {source().served ? <button type="button" role="tab" id="tab-label" aria-controls="view" aria-selected={labelling} onClick={() => setQuery({ view: "label", cell: undefined })}>Label <span class="pill">{value.waiting}</span></button> : null}
        </div>
      </div>
      <div id="view" role="tabpanel" aria-labelledby={labelling ? "tab-label" : "tab-quality"}>
        {labelling ? <Labelling fingerprint={value.fingerprint} /> : <JudgeQuality answer={value} cell={query.get("cell") ?? ""} />}
      </div>
    </>
  );
}

function Calibrated({ answer: { fact } }: { readonly answer: JudgeAnswer }): JSX.Element | null {
  if (fact === undefined) return null;
  if (fact.calibrated === undefined) return <span class="quiet">not calibrated</span>;
  return fact.calibrated ? <CheckMark holds word={<span class="inkk">calibrated</span>} /> : <span class="oc oc-errored"><Icon name="o-errored" /><span>calibration failed{fact.model === undefined ? null : <> (<Alien text={fact.model} />)</>}</span></span>;
}
