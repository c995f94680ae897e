// Owns the queue of judgments: one claim at a time, four labels that never move, and the judge's own label only after yours.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { LABELS, type Label } from "../../../core/label.ts";
import type { LabelRow, QueueAnswer, QueueItem } from "../../answer/judge-form.ts";
import { askAgain, askOnce, source } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { Alien } from "../part/alien.tsx";
import { Icon, LabelMark, wordOf } from "../part/mark.tsx";
import { plural } from "../part/number.ts";
import { Pieces } from "../part/long-text.tsx";
import { Command, Empty, Kbd, Loading } from "../part/small.tsx";
import { addressOf } from "../route.ts";
import { say } from "../say.ts";

const MEANINGS: Readonly<Record<Label, string>> = { entailed: "it follows from the output", contradicted: "the output says otherwise", not_addressed: "the output is silent on it", indeterminate: "it cannot be told" };

interface State {
  readonly answer: QueueAnswer | undefined;
  /** Items passed over, counted from the front of the queue. */
  readonly skipped: number;
  readonly given: readonly { readonly item: QueueItem; readonly row: LabelRow }[];
}

export function Labelling({ fingerprint }: { readonly fingerprint: string }): JSX.Element {
  const [state, setState] = useState<State>({ answer: undefined, skipped: 0, given: [] });
  const [hit, setHit] = useState<Label | undefined>(undefined);
  const [note, setNote] = useState<string | undefined>(undefined);
  const [told, setTold] = useState("The judge’s own label stays hidden until you have chosen.");
  const field = useRef<HTMLInputElement>(null);
  const path = `judge/queue?${new URLSearchParams({ n: "3", ...(fingerprint !== "unnamed" && { fingerprint }) })}`;
  const load = async (skipped: number, given = state.given): Promise<void> => {
    const answer = await askOnce<QueueAnswer>(`${path}&skip=${skipped}`);
    setState((before) => ({ answer, skipped, given: given.length >= before.given.length ? given : before.given }));
  };
  useEffect(() => {
    void load(0);
  }, [path]);
  useLayoutEffect(() => {
    if (note !== undefined) field.current?.focus();
  }, [note !== undefined]);
  const item = state.answer?.items[0];
  const give = (label: Label): void => {
    if (item === undefined || state.answer === undefined) return;
    const id = crypto.randomUUID();
    const { run, position, trial, turn, claim, drawn } = item;
    setHit(label);
    setTimeout(() => setHit(undefined), 160);
    // Shown at once; what the judge had said comes with the answer.
    const row: LabelRow = { id, scenario: item.scenario, run, claim: claim.id, text: claim.text, label, note };
    const given = [{ item, row }, ...state.given];
    setState({ ...state, given, answer: { ...state.answer, items: state.answer.items.slice(1), waiting: state.answer.waiting - 1, labelled: state.answer.labelled + 1 } });
    const kept = note;
    setNote(undefined);
    void source()
      .label({ id, run, position, trial, ...(turn !== undefined && { turn }), claim: claim.id, label, drawn, ...(kept !== undefined && kept !== "" && { note: kept }) })
      .then(({ judged }) => {
        setTold(`${item.scenario}: you said ${wordOf(label)}, the judge said ${judged === undefined ? "nothing" : wordOf(judged.label)}.`);
        say(judged?.label === label ? "Same as the judge" : "Differs from the judge");
        setState((before) => ({ ...before, given: before.given.map((each) => (each.row.id === id ? { ...each, row: { ...each.row, judged: judged?.label } } : each)) }));
        askAgain("judge");
        return load(state.skipped, given);
      })
      .catch((problem: { readonly message: string }) => {
        setTold(`Not kept: ${problem.message}`);
        setState((before) => ({ ...before, given: before.given.filter((each) => each.row.id !== id) }));
        void load(state.skipped, state.given);
      });
  };
  const undo = (): void => {
    const [last] = state.given;
    const id = last?.row.id ?? state.answer?.done[0]?.id;
    if (id === undefined) return say("There is nothing to take back");
    void source()
      .removeLabel(id)
      .then(() => {
        setTold("Taken back.");
        askAgain("judge");
        const given = state.given.filter((each) => each.row.id !== id);
        setState((before) => ({ ...before, given }));
        return askOnce<QueueAnswer>(`${path}&skip=${state.skipped}`).then((answer) => setState((before) => ({ ...before, answer: last === undefined ? answer : { ...answer, items: [last.item, ...answer.items.filter(({ key }) => key !== last.item.key)] } })));
      });
  };
  const skip = (by: number): void => {
    const to = Math.max(0, state.skipped + by);
    if (to !== state.skipped && to <= state.skipped + (state.answer?.items.length ?? 0)) void load(to);
  };
  useKeys({ ...Object.fromEntries(LABELS.map((label, at) => [String(at + 1), () => give(label)])), u: undo, m: () => setNote(note === undefined ? "" : undefined), ArrowRight: () => skip(1), ArrowLeft: () => skip(-1) });
  if (state.answer === undefined) return <Loading rows={8} />;
  const { answer, given } = state;
  const total = answer.labelled + answer.waiting;
  return (
    <div class="lab">
      <section class="sheet lab-m" aria-label="Judgment to label">
        <div><svg class="lab-bar" viewBox="0 0 400 4" preserveAspectRatio="none" aria-hidden="true"><rect class="prog-bg" width="400" height="4" /><rect class="prog-fg" width={total === 0 ? 0 : (400 * answer.labelled) / total} height="4" /></svg></div>
        <div class="lab-b" tabIndex={0} role="region" aria-label="The claim and the output">{item === undefined ? <Done answer={answer} skipped={state.skipped} restart={() => void load(0)} /> : <Item item={item} />}</div>
        <div class="lab-k" role="group" aria-label="Label">
          {LABELS.map((label, at) => <button key={label} type="button" class={`lk ${hit === label ? "hit" : ""}`} disabled={item === undefined} onClick={() => give(label)}><span class="lk-h"><LabelMark label={label} /><Kbd>{at + 1}</Kbd></span><span class="quiet">{MEANINGS[label]}</span></button>)}
        </div>
        <div class="lab-f bar-row">
          <span class="quiet cut" data-told>{told}</span><span class="push" />
          <button class="btn btn-q" type="button" onClick={undo}>Undo <Kbd>u</Kbd></button>
          <button class="btn btn-q" type="button" aria-expanded={note !== undefined} onClick={() => setNote(note === undefined ? "" : undefined)}>Note <Kbd>m</Kbd></button>
          <button class="btn btn-q" type="button" disabled={item === undefined} onClick={() => skip(1)}>Skip <Kbd>→</Kbd></button>
          {note === undefined ? null : <label class="field lab-n"><Icon name="note" /><input ref={field} type="text" maxLength={2000} placeholder="Why; goes with the label you give next" aria-label="Note" value={note} onInput={(event) => setNote(event.currentTarget.value)} onKeyDown={(event) => { if (event.key === "Enter") event.currentTarget.blur(); }} /></label>}
        </div>
      </section>
      <aside class="lab-s" aria-label="Progress">
        <section>
          <h2>{answer.labelled} <span class="count">of {total} labelled</span></h2>
          <p class="quiet">{answer.drawnFrom === undefined ? "Nothing is drawn." : <>drawn from <Alien text={answer.drawnFrom.suite} /> #{answer.drawnFrom.n}: {answer.byLabel} by label, {answer.atRandom} at random. About 100 labels begin to narrow a corrected rate.</>}</p>
        </section>
        <section>
          <h2>You and the judge <span class="count">{answer.agree} of {answer.labelled} agree</span></h2>
          <table class="tbl t-done">
            <thead><tr><th scope="col">Scenario</th><th class="d-m" scope="col">You</th><th class="d-m" scope="col">Judge</th><th class="d-a" scope="col"><span class="vh">Same</span></th></tr></thead>
            <tbody>{merged(given.map(({ row }) => row), answer.done).slice(0, 12).map((row) => <DoneRow key={row.id} row={row} />)}</tbody>
          </table>
        </section>
      </aside>
    </div>
  );
}

/** What was given a moment ago, then what the store had. */
function merged(given: readonly LabelRow[], done: readonly LabelRow[]): readonly LabelRow[] {
  const known = new Set(given.map(({ id }) => id));
  return [...given, ...done.filter(({ id }) => !known.has(id))];
}

function DoneRow({ row }: { readonly row: LabelRow }): JSX.Element {
  const same = row.judged === row.label;
  return <tr><td class="mono cut"><Alien text={row.scenario} /></td><td><LabelMark label={row.label} alone /></td><td>{row.judged === undefined ? null : <LabelMark label={row.judged} alone />}</td><td class={same ? "quiet" : "warnk"}>{row.judged === undefined ? "" : same ? "same" : "differ"}</td></tr>;
}

function Item({ item }: { readonly item: QueueItem }): JSX.Element {
  const [whole, setWhole] = useState(false);
  return (
    <article class="q-item" key={item.key}>
      <header class="bar-row quiet"><a class="mono mid" href={addressOf(["run", item.run, item.scenario], { trial: item.trial })}><Alien text={item.scenario} /></a><span>{item.turn === undefined ? "" : `turn ${item.turn + 1}, `}trial {item.trial}</span><span class="push" /><span>{item.drawn === "random" ? "drawn at random" : "drawn by label"}</span></header>
      <h2 class="q-claim"><Alien text={item.claim.text} /></h2>
      <p class="q-cap quiet">The output</p>
      {whole ? <Pieces words={item.output} /> : <p class="q-out"><Alien text={item.output.text} /></p>}
      {item.output.path === undefined ? null : <button type="button" class="quiet-b" onClick={() => setWhole(!whole)}>{whole ? "less" : `all ${(item.output.of ?? 0).toLocaleString("en")} characters`}</button>}
      {item.reference === undefined ? null : <details class="q-ev"><summary><Icon name="chev" class="ic-s tw" /><span>What the judge was shown beside it</span></summary><p class="mid alien-b"><Alien text={item.reference.text} /></p></details>}
    </article>
  );
}

function Done({ answer, skipped, restart }: { readonly answer: QueueAnswer; readonly skipped: number; readonly restart: () => void }): JSX.Element {
  if (answer.drawnFrom === undefined) return <Empty icon="l-indeterminate" title="There is nothing to label" level={3}><p>No finished run of this judge has judgments.</p><Command text="npx entail run" /></Empty>;
  if (answer.waiting > 0 && skipped > 0) return <Empty icon="l-indeterminate" title={`${plural(answer.waiting, "judgment")} passed over`} level={3}><p>They still wait for a label.</p><button class="btn" type="button" onClick={restart}>Begin again</button></Empty>;
  return <Empty icon="l-entailed" title="The queue is empty" level={3}><p>Every judgment drawn from {answer.drawnFrom.suite} #{answer.drawnFrom.n} has a label. The next run with this judge draws more.</p><Command text={`npx entail judge rates ${answer.drawnFrom.n}`} /></Empty>;
}
