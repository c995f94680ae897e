// Owns one scenario that changed between two runs: what flipped in it, and what both said, with the words that differ.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Flip as FlipRecord, FlipSide } from "../../../core/comparison.ts";
import { LABELS } from "../../../core/label.ts";
import type { ChangeForm, ComparedOutput, OutputsAnswer } from "../../answer/compare-form.ts";
import { outcomesOf } from "../../answer/outcome-letter.ts";
import { useAnswer } from "../answers.ts";
import { later } from "../later.tsx";
import { Alien } from "../part/alien.tsx";
import { CheckMark, Flip, Icon, LabelMark, Strip } from "../part/mark.tsx";
import { Loading } from "../part/small.tsx";
import { addressOf } from "../route.ts";

const WordDiff = later(async () => (await import("../part/word-diff.tsx")).WordDiff);

interface ChangeProps {
  readonly change: ChangeForm;
  readonly words: boolean;
  readonly open: boolean;
  /** The address names it. */
  readonly aimed: boolean;
  readonly path: string;
}

export function Change({ change, words, open: first, aimed, path }: ChangeProps): JSX.Element {
  const [open, setOpen] = useState(first);
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (aimed) element.current?.scrollIntoView({ block: "center" });
  }, [aimed]);
  const [flip, ...more] = change.flips;
  return (
    <details class="fl" ref={element} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chev" class="ic-s tw" />
        <span class="mono fl-id cut"><Alien text={change.from === undefined ? change.id : `${change.from} → ${change.id}`} /></span>
        <Flip before={change.before.outcome} after={change.after.outcome} />
        <span class="fl-tr"><Strip outcomes={outcomesOf(change.strips[0])} /><Icon name="arrow" class="arrow" /><Strip outcomes={outcomesOf(change.strips[1])} /></span>
        <span class="cut fl-why">{flip === undefined ? <span class="quiet">{change.after.passed} of {change.after.scored} trials passed, {change.before.passed} of {change.before.scored} before</span> : <><span class="quiet">{flip.kind}</span> <span class="mono"><Alien text={flip.id} /></span> <span class="quiet">{more.length === 0 ? "" : `and ${more.length} more`}</span></>}{change.certain ? <span class="quiet">, more than its trials would by chance</span> : null}</span>
      </summary>
      {open ? <Opened change={change} words={words} path={path} /> : null}
    </details>
  );
}

function Opened({ change, words, path }: Pick<ChangeProps, "change" | "words" | "path">): JSX.Element {
  const turn = change.flips.find((flip) => flip.turn !== undefined)?.turn;
  const query = new URLSearchParams({ outputs: change.id, ...(change.from !== undefined && { from: change.from }), ...(turn !== undefined && { turn: String(turn) }) });
  const { value, problem } = useAnswer<OutputsAnswer>(`${path}?${query}`, true);
  return (
    <div class="fl-b">
      <div class="fl-c">
        <h3>What flipped</h3>
        {change.flips.length === 0 ? <p class="quiet">Nothing by itself: only how many trials passed.</p> : <ul>{change.flips.map((flip) => <FlipRow key={`${flip.kind} ${flip.turn ?? ""} ${flip.id}`} flip={flip} />)}</ul>}
      </div>
      {value === undefined ? (problem === undefined ? <Loading rows={3} /> : <p class="quiet"><Alien text={problem.message} /></p>) : (
        <div class="fl-d">
          {words && value.before.said !== undefined && value.after.said !== undefined ? (
            <WordDiff before={value.before.said.text} after={value.after.said.text} heads={[<OutputHead key="a" output={value.before} scenario={change.from ?? change.id} />, <OutputHead key="b" output={value.after} scenario={change.id} />]} />
          ) : (
            [value.before, value.after].map((output, at) => <article key={at}><OutputHead output={output} scenario={at === 0 ? (change.from ?? change.id) : change.id} /><p class="said">{output.said === undefined ? <span class="quiet">It said nothing.</span> : <Alien text={output.said.text.slice(0, 6000)} />}</p></article>)
          )}
        </div>
      )}
    </div>
  );
}

function OutputHead({ output, scenario }: { readonly output: ComparedOutput; readonly scenario: string }): JSX.Element {
  return <h3>#{output.n} <span class="quiet">{output.turn === undefined ? "" : `Turn ${output.turn + 1}, `}trial {output.trial}</span><a class="link end" href={addressOf(["run", output.run, scenario], { trial: output.trial })}>open</a></h3>;
}

function FlipRow({ flip }: { readonly flip: FlipRecord }): JSX.Element {
  return (
    <li>
      <span class="quiet">{flip.kind}</span>
      <span class="mono cut" title={flip.id}><Alien text={flip.id} /></span>
      <span class="flip"><Side flip={flip} side={flip.before} /><Icon name="arrow" class="arrow" /><Side flip={flip} side={flip.after} /></span>
    </li>
  );
}

function Side({ flip, side }: { readonly flip: FlipRecord; readonly side: FlipSide | undefined }): JSX.Element {
  if (side === undefined) return <span class="quiet">absent</span>;
  const label = LABELS.find((each) => side.text.startsWith(each) || side.text.startsWith(each.replaceAll("_", " ")));
  if (flip.kind === "claim" && label !== undefined) return <LabelMark label={label} word={side.text.replaceAll("_", " ")} />;
  if (flip.kind === "check" || flip.kind === "gate") return <CheckMark holds={side.held === side.of} word={side.text} />;
  return <span class={side.held < side.of ? "warnk strong" : "mid"}><Alien text={side.text} /></span>;
}
