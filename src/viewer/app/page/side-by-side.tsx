// Owns the trials of a scenario side by side: only what differs, then what each said where they part.

import { Fragment, type JSX } from "preact";
import { useState } from "preact/hooks";
import type { ScenarioAnswer, TrialAnswer } from "../../answer/form.ts";
import { useAnswer } from "../answers.ts";
import { Alien } from "../part/alien.tsx";
import { CheckMark, LabelMark, OutcomeMark } from "../part/mark.tsx";
import { Loading } from "../part/small.tsx";
import { setQuery } from "../route.ts";

/** Columns that fit; more trials are picked one by one. */
const COLUMNS = 6;

interface AskedRow {
  readonly id: string;
  readonly cells: readonly (JSX.Element | undefined)[];
  readonly differs: boolean;
}

interface AskedGroup {
  readonly name: string;
  readonly rows: readonly AskedRow[];
}

export function SideBySide({ path, answer }: { readonly path: string; readonly answer: ScenarioAnswer }): JSX.Element {
  const [all, setAll] = useState(false);
  const trials = answer.trials.slice(0, COLUMNS);
  const values = Array.from({ length: COLUMNS }, (_, at) => useAnswer<TrialAnswer>(trials[at] === undefined ? undefined : `${path}/trials/${trials[at].trial}`, true).value);
  const known = values.slice(0, trials.length).filter((value) => value !== undefined);
  if (known.length < trials.length) return <Loading rows={8} />;
  const groups = groupsOf(known);
  const rows = groups.flatMap((group) => group.rows);
  const differ = rows.filter(({ differs }) => differs).length;
  return (
    <>
      <div class="sec-h sec side-h">
        <h2>{differ} of {rows.length} differ between the trials</h2>
        {answer.trials.length > COLUMNS ? <span class="quiet">the first {COLUMNS} of {answer.trials.length} trials</span> : null}
        {rows.length > differ ? <button class="btn end" type="button" aria-pressed={all} onClick={() => setAll(!all)}>{all ? "Hide" : "Show"} the {rows.length - differ} that agree</button> : null}
      </div>
      <div class="sheet side" tabIndex={0} role="region" aria-label="Trials side by side">
        <table class="tbl t-side all">
          <thead><tr><th scope="col">Asked</th>{trials.map(({ trial, outcome }) => <th key={trial} scope="col"><button type="button" onClick={() => setQuery({ view: undefined, trial })}><OutcomeMark outcome={outcome} word={<b>Trial {trial}</b>} /></button></th>)}</tr></thead>
          {groups.map(({ name, rows: own }) => {
            const shown = own.filter(({ differs }) => all || differs);
            return shown.length === 0 ? null : (
              <tbody key={name}>
                <tr class="g"><th colSpan={trials.length + 1} scope="rowgroup">{name}</th></tr>
                {shown.map((row) => <tr key={row.id} class={row.differs ? "diff" : "same-row"}><td class="mono cut"><Alien text={row.id} /></td>{row.cells.map((cell, at) => <td key={at}>{cell ?? <span class="quiet">–</span>}</td>)}</tr>)}
              </tbody>
            );
          })}
        </table>
      </div>
      <Said trials={known} />
    </>
  );
}

interface Asked {
  readonly group: string;
  readonly id: string;
  readonly text: string;
  readonly cell: JSX.Element;
}

function askedOf(trial: TrialAnswer): readonly Asked[] {
  const single = trial.turns.length === 1;
  const parts = [...trial.turns.map((turn) => ({ name: single ? "Answer" : `Turn ${turn.turn + 1}`, ...turn })), { name: "Whole", ...trial.whole }];
  return parts.flatMap(({ name, claims, gates, scores }) => [
    ...claims.map((claim) => ({ group: name, id: claim.id, text: claim.label, cell: <LabelMark label={claim.label} /> })),
    ...gates.map((gate) => ({ group: name, id: gate.id, text: String(gate.passed), cell: <CheckMark holds={gate.passed} /> })),
    ...scores.map((score) => ({ group: name, id: `${score.id}${score.threshold === undefined ? "" : ` ≥ ${score.threshold.toFixed(2)}`}`, text: String(score.passed), cell: <span class={score.passed === false ? "strong warnk" : "mid"}>{score.score === undefined ? "–" : `${score.score.toFixed(2)}${score.passed === false ? " below" : ""}`}</span> })),
  ]);
}

function groupsOf(trials: readonly TrialAnswer[]): readonly AskedGroup[] {
  const columns = trials.map(askedOf);
  const groups = new Map<string, Map<string, (Asked | undefined)[]>>();
  for (const [at, column] of columns.entries()) {
    for (const asked of column) {
      const rows = groups.get(asked.group) ?? new Map<string, (Asked | undefined)[]>();
      groups.set(asked.group, rows);
      const row = rows.get(asked.id) ?? Array.from<Asked | undefined>({ length: trials.length });
      row[at] = asked;
      rows.set(asked.id, row);
    }
  }
  return [...groups].map(([name, rows]) => ({ name, rows: [...rows].map(([id, cells]) => ({ id, cells: cells.map((cell) => cell?.cell), differs: new Set(cells.map((cell) => cell?.text)).size > 1 })) }));
}

/** The first turn where the outputs part. */
function Said({ trials }: { readonly trials: readonly TrialAnswer[] }): JSX.Element | null {
  const turns = trials[0]?.turns ?? [];
  const at = Math.max(0, turns.findIndex((turn, index) => new Set(trials.map((trial) => trial.turns[index]?.output?.text)).size > 1 || turn.outcome === "failed"));
  if (turns.length === 0) return null;
  return (
    <>
      <div class="sec-h sec"><h2>What it said{turns.length > 1 ? ` in turn ${at + 1}` : ""}</h2>{turns.length > 1 ? <span class="quiet">the first turn where the trials part</span> : null}</div>
      <div class="cols3">
        {trials.map((trial) => (
          <article key={trial.trial} class="sheet pad">
            <header class="bar-row"><OutcomeMark outcome={trial.outcome} word={<b>Trial {trial.trial}</b>} /></header>
            <p class="said">{trial.turns[at]?.output === undefined ? <span class="quiet">It said nothing.</span> : <Fragment><Alien text={trial.turns[at].output.text.slice(0, 4000)} /></Fragment>}</p>
          </article>
        ))}
      </div>
    </>
  );
}
