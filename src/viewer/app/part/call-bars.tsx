// Owns what a turn's clock draws: its axis, the model's lane, the bars of a call, and the row of a confirmation.

import type { JSX } from "preact";
import type { CallForm, ConfirmationForm } from "../../answer/form.ts";
import { Alien, oneLine } from "./alien.tsx";
import { axisTicks, type CallTimes, seconds, type Span, timesOf, type TurnClock } from "./clock.ts";
import { Icon } from "./mark.tsx";
import { plural } from "./number.ts";

/** In percent; a call that took no time is still seen. */
const LEAST = 1.2;

export function Axis({ ms }: { readonly ms: number }): JSX.Element {
  return (
    <svg class="tb ax" aria-hidden="true">
      {axisTicks(ms).map(({ at, name }) => (
        <>
          <line class="grid" x1={share(at, ms)} x2={share(at, ms)} y1="14" y2="20" />
          <text x={share(at, ms)} y="11" text-anchor={at === 0 ? "start" : "middle"}>{name}</text>
        </>
      ))}
    </svg>
  );
}

const share = (at: number, ms: number): string => `${((100 * at) / ms).toFixed(2)}%`;

function Bar({ span: [from, to], ms, kind }: { readonly span: Span; readonly ms: number; readonly kind: string }): JSX.Element {
  const width = Math.max(LEAST, (100 * (to - from)) / ms);
  const dotted = kind === "wait";
  return <rect class={`b-${kind}`} x={`${Math.min((100 * from) / ms, 100 - width).toFixed(2)}%`} y={dotted ? "6.5" : "7"} width={`${width.toFixed(2)}%`} height={dotted ? "7" : "6"} rx="1.5" />;
}

/** Solid while it ran, dotted while somebody was asked. */
export function Bars({ times, ms, kind }: { readonly times: CallTimes | undefined; readonly ms: number; readonly kind: "call" | "sub" | "fail" }): JSX.Element {
  return (
    <svg class="tb" aria-hidden="true">
      {times?.waited.map((span) => <Bar key={`w${span[0]}`} span={span} ms={ms} kind="wait" />)}
      {times?.ran.map((span) => <Bar key={span[0]} span={span} ms={ms} kind={kind} />)}
    </svg>
  );
}

/** The time of the turn outside of its calls. */
export function Model({ spans, ms, requests }: { readonly spans: readonly Span[]; readonly ms: number; readonly requests: number | undefined }): JSX.Element {
  return (
    <li class="call model">
      <div class="mrow">
        <span class="c-ok" />
        <span class="c-name quiet">model</span>
        <span class="c-args quiet cut">{requests === undefined ? "outside of the calls" : plural(requests, "request")}</span>
        <span class="c-sum" />
        <svg class="tb" aria-hidden="true">{spans.map((span) => <Bar key={span[0]} span={span} ms={ms} kind="model" />)}</svg>
        <span class="c-t num quiet">{seconds(spans.reduce((sum, [from, to]) => sum + to - from, 0))}</span>
      </div>
    </li>
  );
}

/** What was asked, and what came of it. `call` is the one that it was about, where that was ever started. */
export function Asks({ confirmation, call, clock }: { readonly confirmation: ConfirmationForm; readonly call: CallForm | undefined; readonly clock: TurnClock | undefined }): JSX.Element {
  const { toolName, says, state, policy } = confirmation;
  const [waited] = (clock && call && timesOf(call, clock)?.waited) ?? [];
  const told = state === "pending" ? "stopped here" : state === "denied" ? "rejected" : "approved";
  const why = state === "pending" ? (policy === "expect" ? "as expected" : "") : policy === undefined ? "" : "by the turn’s policy";
  return (
    <li class="call asks">
      <div class="mrow">
        <span class="c-ok warnk"><Icon name="hand" /></span>
        <span class="c-say cut">asks {says === undefined || says === "" ? <>for <span class="mono"><Alien text={oneLine(toolName, 120)} /></span></> : <>“<Alien text={oneLine(says)} />”</>} <b>{told}</b>{why === "" ? null : <span class="mid"> {why}</span>}</span>
        {clock === undefined ? null : <span class="c-t num">{waited === undefined ? "" : seconds(waited[1] - waited[0])}</span>}
      </div>
    </li>
  );
}
