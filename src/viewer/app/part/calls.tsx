// Owns the tool calls of a turn, in the order of cause: each in one line, opened to its arguments and its result.

import { type ComponentChildren, Fragment, type JSX } from "preact";
import { useState } from "preact/hooks";
import type { CallForm, CallsAnswer, TurnForm, Words } from "../../answer/form.ts";
import { askOnce } from "../answers.ts";
import { copy } from "../say.ts";
import { Asks, Axis, Bars, Model } from "./call-bars.tsx";
import { modelSpans, seconds, timesOf, type TurnClock } from "./clock.ts";
import { Alien, oneLine } from "./alien.tsx";
import { inOneLine, inOnePhrase } from "./json.tsx";
import { LongJson } from "./long-text.tsx";
import { Icon } from "./mark.tsx";
import { bytes, count, plural } from "./number.ts";

interface CallsProps {
  readonly first: CallsAnswer;
  readonly turn: Pick<TurnForm, "calls" | "clock" | "confirmation" | "requests">;
  /** Where more of them are read. */
  readonly path: string;
  /** The call that the address names. */
  readonly shown: string | undefined;
}

export function Calls({ first, turn, path, shown }: CallsProps): JSX.Element | null {
  const { calls: [from, to] = [0, 0], confirmation, requests } = turn;
  const [more, setMore] = useState<readonly CallForm[]>([]);
  const calls = [...first.calls, ...more].filter(({ at }) => at >= from && at < to);
  const total = to - from;
  if (total === 0 && confirmation === undefined) return null;
  const left = total - calls.length;
  const clock = turn.clock !== undefined && calls.some((call) => timesOf(call, turn.clock as TurnClock) !== undefined) ? turn.clock : undefined;
  // Where a call's time is unknown, what is left of the turn is not the model's.
  const model = clock !== undefined && left === 0 && calls.every((call) => call.depth > 0 || timesOf(call, clock) !== undefined) ? modelSpans(calls, clock) : [];
  const asking = confirmation === undefined ? undefined : calls.find(({ toolCallId }) => toolCallId === confirmation.toolCallId);
  const load = (): void => {
    void askOnce<CallsAnswer>(`${path}/calls?from=${first.calls.length + more.length}`).then((page) => setMore([...more, ...page.calls]));
  };
  return (
    <div class={clock === undefined ? "calls" : "calls timed"}>
      <div class="axis"><span class="c-head">{plural(total, "tool call")}</span>{clock === undefined ? null : <Axis ms={clock[1]} />}</div>
      <ul>
        {clock === undefined || model.length === 0 ? null : <Model spans={model} ms={clock[1]} requests={requests} />}
        {calls.map((call, at) => (
          <Fragment key={call.at}>
            {confirmation === undefined || call !== asking ? null : <Asks confirmation={confirmation} call={call} clock={clock} />}
            <Call call={call} within={within(calls, at)} clock={clock} open={call.toolCallId === shown} />
          </Fragment>
        ))}
        {confirmation === undefined || asking !== undefined ? null : <Asks confirmation={confirmation} call={undefined} clock={clock} />}
      </ul>
      {left > 0 ? <p class="c-more"><button type="button" class="quiet-b" onClick={load}>{count(left)} more calls</button></p> : null}
    </div>
  );
}

/** How many calls stand below the one at `at`. */
function within(calls: readonly CallForm[], at: number): number {
  const depth = calls[at]?.depth ?? 0;
  const next = calls.findIndex((call, index) => index > at && call.depth <= depth);
  return (next === -1 ? calls.length : next) - at - 1;
}

interface CallProps {
  readonly call: CallForm;
  readonly within: number;
  readonly clock: TurnClock | undefined;
  readonly open: boolean;
}

function Call({ call, within: below, clock, open }: CallProps): JSX.Element {
  const [isOpen, setOpen] = useState(open);
  const [phrase, tone] = phraseOf(call);
  const times = clock && timesOf(call, clock);
  return (
    <li class={`call ${call.depth > 0 ? "sub" : ""}`} data-call={call.toolCallId} style={call.depth > 1 ? { "--depth": String(Math.min(call.depth, 8)) } : undefined}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="c-ok"><Icon name="chev" class="ic-s tw" /></span>
          <span class="c-name mono cut"><Alien text={oneLine(call.toolName, 120)} /></span>
          <span class="c-args mono cut"><Alien text={oneLine(call.argsRaw === undefined ? inOneLine(call.args.text) : `arguments ${call.argsRaw}`)} /></span>
          <span class={`c-sum cut ${tone}`}>{below > 0 && tone === "" ? `${plural(below, "call")} within` : <Alien text={oneLine(phrase)} />}</span>
          {clock === undefined ? null : <><Bars ms={clock[1]} times={times} kind={call.failure !== undefined ? "fail" : below > 0 ? "sub" : "call"} /><span class="c-t num">{times?.ms === undefined ? "" : seconds(times.ms)}</span></>}
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
