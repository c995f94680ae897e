// Owns the way from the chunks of one run to Entail's events. A call is told once it can no longer be interrupted, in the order in which the
// calls were issued; the answer is told at the end, for only then is it known which message is the last.

import { PROGRESS_EVENTS, type StreamEvent } from "../../core/event.ts";
import { listOf, member, namesOf, recordOf, textMember } from "../../core/member.ts";
import { sameJson } from "../../json/write-json.ts";
import { callEvents, type CallEventsOptions } from "./call-events.ts";
import { pathKey, readChunk, taskPathOf, type Path, type StreamMode } from "./chunk.ts";
import { endingOf, type Ending } from "./ending.ts";
import { decisionOf, promptOf, readInterrupts, shownValue, type Interrupt } from "./interrupt.ts";
import { createLedger, type CallEnd, type SeenCall } from "./ledger.ts";
import { messagesWithin, readMessage, type ReadMessage } from "./message.ts";
import { failureText, jsonSafe, resultMembers } from "./payload.ts";
import { createTasks, enclosing, isTaskBegin } from "./task.ts";
import type { AskedCall, Earlier, Left } from "./thread.ts";
import { createTranscript, type SeenMessage } from "./transcript.ts";
import { waitingCalls, type Asking } from "./waiting.ts";
import type { Warnings } from "./warning.ts";
import type { GraphWatch } from "./watch.ts";

export interface TranslatorOptions extends CallEventsOptions {
  readonly modes: readonly StreamMode[];
  readonly nodes?: readonly string[] | undefined;
  readonly watch?: GraphWatch | undefined;
  readonly earlier: Earlier;
  /** What the run was resumed with; absent where it was not. */
  readonly resume?: { readonly value: unknown } | undefined;
  readonly decision?: ((resume: unknown, call: { readonly toolName: string; readonly args: unknown }) => boolean | undefined) | undefined;
  readonly warnings: Warnings;
}
