// Owns the tool calls of a turn, in the order of cause: each in one line, opened to its arguments and its result.

import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { CallForm, CallsAnswer, TrialAnswer, Words } from "../../answer/form.ts";
import { askOnce } from "../answers.ts";
import { copy } from "../say.ts";
import { Alien, oneLine } from "./alien.tsx";
import { inOneLine, inOnePhrase } from "./json.tsx";
import { LongJson } from "./long-text.tsx";
import { Icon } from "./mark.tsx";
import { bytes, count, plural } from "./number.ts";

interface CallsProps {
  readonly first: CallsAnswer;
  /** Those of the turn: the first, and the one after the last. */
  readonly range: readonly [number, number];
  /** Where more of them are read. */
  readonly path: string;
  readonly confirmation: TrialAnswer["confirmation"];
  /** The call that the address names. */
  readonly shown: string | undefined;
}

export function Calls({ first, range: [from, to], path, confirmation, shown }: CallsProps): JSX.Element | null {
  const [more, setMore] = useState<readonly CallForm[]>([]);
  const calls = [...first.calls, ...more].filter(({ at }) => at >= from && at < to);
  const total = to - from;
  if (total === 0 && confirmation === undefined) return null;
  const left = total - calls.length;
  const load = (): void => {
    void askOnce<CallsAnswer>(`${path}/calls?from=${first.calls.length + more.length}`).then((page) => setMore([...more, ...page.calls]));
  };
  return (
    <div class="calls">
      <div class="axis"><span class="c-head">{plural(total, "tool call")}</span></div>
      <ul>{calls.map((call) => <Call key={call.at} call={call} open={call.toolCallId === shown} />)}</ul>
      {left > 0 ? <p class="c-more"><button type="button" class="quiet-b" onClick={load}>{count(left)} more calls</button></p> : null}
      {confirmation === undefined ? null : (
        <div class="call asks"><div class="mrow"><span class="c-ok warnk"><Icon name="hand" /></span><span class="c-say cut"><span class="mid">asks</span> “<Alien text={oneLine(confirmation.title ?? confirmation.prompt)} />” <b>{confirmation.state === "pending" ? "stopped here" : confirmation.state === "denied" ? "rejected" : "approved"}</b> <span class="quiet mono"><Alien text={confirmation.toolName} /></span></span></div></div>
      )}
    </div>
  );
}

function Call({ call, open }: { readonly call: CallForm; readonly open: boolean }): JSX.Element {
  const [isOpen, setOpen] = useState(open);
  const [phrase, tone] = phraseOf(call);
  return (
    <li class={`call ${call.depth > 0 ? "sub" : ""}`} data-call={call.toolCallId} style={call.depth > 1 ? { "--depth": String(Math.min(call.depth, 8)) } : undefined}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="c-ok"><Icon name="chev" class="ic-s tw" /></span>
          <span class="c-name mono cut"><Alien text={oneLine(call.toolName, 120)} /></span>
          <span class="c-args mono cut"><Alien text={oneLine(call.argsRaw === undefined ? inOneLine(call.args.text) : `arguments ${call.argsRaw}`)} /></span>
          <span class={`c-sum cut ${tone}`}><Alien text={oneLine(phrase)} /></span>
        </summary>
        {isOpen ? <Opened call={call} /> : null}
      </details>
    </li>
  );
}

/** What came back, in a phrase, and whether that is bad or worth a look. */
function phraseOf({ failure, approval, completed, endedLate, bounds, result, resultOmitted }: CallForm): readonly [string, string] {
  if (failure !== undefined) return [`${failure.kind.replaceAll("_", " ")}: ${failure.message}`, "badk"];
  if (approval === "denied") return ["denied", "warnk"];
  if (!completed) return [approval === "pending" ? "waits for a confirmation" : "no end seen", "warnk"];
  if (endedLate === true) return ["ended after the answer", "warnk"];
  if (bounds !== undefined) return [`${bounds.returned}${bounds.total === undefined ? "" : ` of ${bounds.total}`}${bounds.truncated ? ", truncated" : ""}`, bounds.truncated ? "warnk" : ""];
  if (resultOmitted !== undefined) return [`left out${resultOmitted.bytes === undefined ? "" : `, ${bytes(resultOmitted.bytes)}`}`, ""];
  if (result === undefined) return ["nothing came back", ""];
  return [result.of === undefined ? inOnePhrase(result.text) : `${count(result.of)} characters`, ""];
}

function Opened({ call }: { readonly call: CallForm }): JSX.Element {
  const { failure, bounds, result, resultOmitted } = call;
  return (
    <div class="io">
      <Part name="Arguments" words={call.args} />
      {failure === undefined ? (
        <Part name="Result" words={result}>
          {bounds === undefined ? null : <p class="quiet bounds">returned {bounds.returned}{bounds.total === undefined ? "" : ` of ${bounds.total}`}, {bounds.truncated ? "truncated" : "complete"}{bounds.nextCursor === undefined ? null : <>, next cursor <code><Alien text={bounds.nextCursor} /></code></>}{bounds.refinementHint === undefined ? null : <>, hint: <Alien text={bounds.refinementHint} /></>}</p>}
          {result === undefined ? <p class="quiet">{resultOmitted === undefined ? (call.completed ? "Nothing came back." : "No end of this call was seen.") : <>Left out by the source{resultOmitted.reason === undefined ? "" : <>: <Alien text={resultOmitted.reason} /></>}.</>}</p> : null}
        </Part>
      ) : (
        <div class="io-c">
          <p class="io-h">Failure</p>
          <p class="diag"><b>{failure.kind.replaceAll("_", " ")}</b>{"\n"}<Alien text={failure.message} />{failure.causes.map((cause) => <>{"\n"}because <Alien text={cause} /></>)}</p>
          {failure.recovery === undefined ? null : <><p class="io-h">Recovery</p><LongJson words={failure.recovery} /></>}
        </div>
      )}
    </div>
  );
}

function Part({ name, words, children }: { readonly name: string; readonly words: Words | undefined; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="io-c">
      <p class="io-h">{name}{words === undefined ? null : <button class="icon-btn io-copy" type="button" aria-label={`Copy the ${name.toLowerCase()}`} onClick={() => void copy(words.text)}><Icon name="copy" class="ic-s" /></button>}</p>
      {words === undefined ? null : <LongJson words={words} />}
      {children}
    </div>
  );
}
