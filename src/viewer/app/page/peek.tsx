// Owns the peek: what was given, what was said and what went wrong first, without leaving the list.

import type { JSX } from "preact";
import type { ScenarioRowForm, TrialAnswer } from "../../answer/form.ts";
import { outcomesOf } from "../../answer/outcome-letter.ts";
import { useAnswer } from "../answers.ts";
import { Alien } from "../part/alien.tsx";
import { Icon, OutcomeMark, Strip } from "../part/mark.tsx";
import { addressOf } from "../route.ts";
import { runPath } from "./paths.ts";
import { stepOf } from "../../answer/step.ts";

export function Peek({ run, row, close }: { readonly run: string; readonly row: ScenarioRowForm | undefined; readonly close: () => void }): JSX.Element | null {
  const trials = outcomesOf(row?.t ?? "");
  const trial = Math.max(0, trials.findIndex((outcome) => outcome !== "passed")) + 1;
  const { value } = useAnswer<TrialAnswer>(row === undefined || row.o === undefined ? undefined : `${runPath(run)}/scenario/${stepOf(row.i)}/trials/${trial}`);
  if (row === undefined) return null;
  const turn = value?.turns.find(({ outcome }) => outcome !== "passed" && outcome !== "not_reached") ?? value?.turns[0];
  return (
    <aside class="sheet peek" aria-label="Peek">
      <div class="dlg-h"><h2 class="mono cut"><Alien text={row.i} /></h2><button class="icon-btn" type="button" aria-label="Close" onClick={close}><Icon name="close" /></button></div>
      <div class="pad peek-b">
        <div class="bar-row"><OutcomeMark outcome={row.o ?? "not_reached"} /><Strip outcomes={trials} more={row.m} /></div>
        {row.w === undefined ? null : <><h3>First reason</h3><p><Alien text={row.w} /></p></>}
        {turn?.input === undefined ? null : <><h3>Given</h3><p class="peek-q"><Alien text={turn.input.text.slice(0, 1200)} /></p></>}
        {turn?.output === undefined ? null : <><h3>Said</h3><p class="peek-q"><Alien text={turn.output.text.slice(0, 3000)} /></p></>}
        <a class="btn" href={addressOf(["run", run, row.i])}>Open</a>
      </div>
    </aside>
  );
}
