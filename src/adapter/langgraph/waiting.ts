// Owns which calls a graph waits for when it stops: those that an interrupt names, those that the interrupted task was running, or those that
// nothing has run yet.

import { sameJson } from "../../json/write-json.ts";
import type { Path } from "./chunk.ts";
import { namedCalls, type Interrupt } from "./interrupt.ts";
import type { SeenCall } from "./ledger.ts";

/** An interrupt, and the tasks and graphs in which it was seen: it comes up through every graph around its own. */
export interface Asking {
  readonly interrupt: Interrupt | undefined;
  /** The innermost graph. */
  path: Path;
  /** What the interrupted task of that graph was handed; `undefined` where that is not known. */
  handed: readonly string[] | undefined;
}

export interface WaitingCall {
  readonly call: SeenCall;
  /** What is asked about this call alone, where the interrupt says so. */
  readonly prompt?: string | undefined;
  readonly interrupt: Interrupt | undefined;
}

export interface Waiting {
  readonly calls: readonly WaitingCall[];
  /** What was asked about no call. */
  readonly questions: readonly Interrupt[];
}

type Meant = Pick<WaitingCall, "call" | "prompt">;

function namedAmong(open: readonly SeenCall[], interrupt: Interrupt | undefined): readonly Meant[] {
  const left = [...open];
  return namedCalls(interrupt?.value).flatMap(({ rawId, toolName, args, prompt }) => {
    const meant = rawId === undefined ? left.filter((call) => call.toolName === toolName) : left.filter((call) => call.rawId === rawId);
    const found = meant.find((call) => args === undefined || sameJson(call.args, args)) ?? meant[0];
    if (found === undefined) return [];
    left.splice(left.indexOf(found), 1);
    return [{ call: found, prompt }];
  });
}

/** `within` gives the calls of a graph in the order in which they were issued. Each call waits for one interrupt. */
export function waitingCalls(askings: readonly Asking[], within: (path: Path) => readonly SeenCall[]): Waiting {
  const calls: WaitingCall[] = [];
  const questions: Interrupt[] = [];
  const taken = new Set<SeenCall>();

  const meantBy = ({ interrupt, path, handed }: Asking): readonly Meant[] => {
    const open = within(path).filter((call) => call.end === undefined && !call.providerExecuted && call.approval !== "denied" && !taken.has(call));
    const named = namedAmong(open, interrupt);
    if (named.length > 0) return named;
    const running = open.filter((call) => call.executing && (handed === undefined || handed.includes(call.rawId)));
    // One task may run several calls, and stops at the first that asks.
    return (running.length > 0 ? running.slice(0, 1) : open.filter((call) => !call.executing)).map((call) => ({ call }));
  };

  for (const asking of askings) {
    const meant = meantBy(asking);
    for (const one of meant) {
      taken.add(one.call);
      calls.push({ ...one, interrupt: asking.interrupt });
    }
    if (meant.length === 0 && asking.interrupt !== undefined) questions.push(asking.interrupt);
  }
  return { calls, questions };
}
