// Owns the judgments behind one count of the confusion matrix.

import type { JSX } from "preact";
import { isLabel } from "../../../core/label.ts";
import type { QueueAnswer } from "../../answer/judge-form.ts";
import { useAnswer } from "../answers.ts";
import { Alien, oneLine } from "../part/alien.tsx";
import { LabelMark } from "../part/mark.tsx";
import { addressOf } from "../route.ts";
import { stepOf } from "../../answer/step.ts";

export function LabelledRows({ cell, fingerprint }: { readonly cell: string; readonly fingerprint: string }): JSX.Element {
  const { value } = useAnswer<QueueAnswer>(`judge/queue?n=0&all=1&fingerprint=${stepOf(fingerprint === "unnamed" ? "" : fingerprint)}`);
  const [human, judge] = cell.split(",");
  const rows = (value?.done ?? []).filter(({ label, judged }) => label === human && judged === judge);
  return (
    <section class="sec" aria-labelledby="lr">
      <div class="sec-h"><h2 id="lr">The judgments behind it</h2>{isLabel(human) && isLabel(judge) ? <span class="bar-row quiet">you <LabelMark label={human} /> judge <LabelMark label={judge} /></span> : null}</div>
      <div class="sheet scroll" tabIndex={0} role="region" aria-label="Table: judgments">
        {rows.length === 0 ? <p class="pad quiet">None of these is in this store.</p> : (
          <table class="tbl t-lr"><thead><tr><th scope="col">Scenario</th><th scope="col">Claim</th><th scope="col">Note</th></tr></thead>
            <tbody>{rows.map((row) => <tr key={row.id}><td class="mono cut">{row.run === undefined ? <Alien text={row.scenario} /> : <a href={addressOf(["run", row.run, row.scenario], { claim: row.claim })}><Alien text={row.scenario} /></a>}</td><td class="cut"><Alien text={oneLine(row.text)} /></td><td class="cut quiet"><Alien text={oneLine(row.note ?? "")} /></td></tr>)}</tbody>
          </table>
        )}
      </div>
    </section>
  );
}
