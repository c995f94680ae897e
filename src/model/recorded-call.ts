// Owns one recorded call: replayed, or made and kept, as the mode says. What a recording is asked for from outside any trial is only passed on.

import type { Clock } from "../core/clock.ts";
import { currentRun } from "../core/current-run.ts";
import { currentTrial } from "../core/current-trial.ts";
import { EntailError, messageOf } from "../core/error.ts";
import type { Scope } from "../core/scope.ts";
import { sha256 } from "../core/sha-256.ts";
import { createMask, type Mask } from "../core/secret.ts";
import { nearestText, scopeText } from "./nearest-recording.ts";
import { environment } from "./node-file.ts";
import { inOrder, inTexts, maskedJson, toJson, type Json } from "./plain-json.ts";
import type { Book, Place, RecordingKind } from "./recording-book.ts";

export const RECORDING_MODES = ["auto", "record", "strict", "off"] as const;
/**
 * `auto` replays what is there and records what is not; `record` asks always and records anew; `strict` replays and never asks; `off`
 * only asks.
 */
export type RecordingMode = (typeof RECORDING_MODES)[number];

export interface Recorder {
  readonly book: Book;
  readonly mode: RecordingMode | undefined;
  readonly mask: ((text: string) => string) | undefined;
  readonly clock: Clock;
}

/** What is recorded of an answer, or why it is none to be kept. */
export type Kept = { readonly answer: Json } | { readonly left: string };

/** An answer from the file, or a place for the one that is going to be made; `undefined` where nothing is recorded. */
export type Recall = { readonly answer: Json; readonly keep?: never } | { readonly answer?: never; readonly keep: (kept: Kept) => void } | undefined;

/**
 * Looks up `request` in its scope. Throws `recording_missing` and `recording_scope_missing` in a strict replay, where the trial is
 * errored too, whatever its hook makes of it; and `recording_unreadable`.
 */
export function recall(recorder: Recorder, kind: RecordingKind, given: Scope | undefined, request: unknown): Recall {
  const trial = currentTrial();
  const run = currentRun();
  const { book, mode = run?.recordings ?? "auto" } = recorder;
  if (mode === "off") return undefined;
  try {
    const scope = given ?? trial?.scope;
    if (scope === undefined) {
      if (mode !== "strict") return undefined;
      throw new EntailError("recording_scope_missing", `a strict replay of ${book.path} was asked outside any trial, so nothing says which recording is meant: ask from a hook or a judge, or give a scope`);
    }
    const mask = maskOf(recorder);
    // A tool's argument that would be left out could tell two calls apart; what a model is asked is data already, beside its callbacks.
    const json = inOrder(toJson(request, kind !== "tool"));
    const hidden = inTexts(json, mask.hides);
    const asked = { kind, scope, request: inOrder(maskedJson(json, mask.all)), ...(hidden.length > 0 && { hidden: sha256(hidden.join("\0")).slice(0, 8) }) };
    const place = book.place(asked, trial ?? run ?? recorder, mode === "record");
    if (place.entry !== undefined) {
      run?.replayed?.(book.path);
      return { answer: place.entry.answer };
    }
    if (mode === "strict") {
      throw new EntailError("recording_missing", `no recording in ${book.path} answers what ${scopeText(scope)} asks: ${nearestText(asked, book.entries())}; run with --record where the change is meant`);
    }
    return { keep: keeper(recorder, place, kind, mask.all) };
  } catch (thrown) {
    const error = thrown instanceof EntailError ? thrown : new EntailError("recording_unreadable", `what is asked cannot be recorded in ${book.path}, for it holds ${messageOf(thrown)}`, { cause: thrown });
    trial?.fail?.(error);
    throw error;
  }
}

function keeper({ book, clock }: Recorder, place: Place, kind: RecordingKind, mask: (text: string) => string): (kept: Kept) => void {
  const started = clock.elapsed();
  const trial = currentTrial();
  return (kept) => {
    if ("answer" in kept) place.keep(maskedJson(kept.answer, mask), Math.round(clock.elapsed() - started));
    // Without this nobody would know why a strict replay does not find it.
    else trial?.warn("recording_left_out", `the answer of a ${kind === "tool" ? "tool" : "model"} is not recorded in ${book.path}: ${kept.left}`);
  };
}

interface Masks {
  readonly all: (text: string) => string;
  /** What is masked though it is the same on every machine. */
  readonly hides: (text: string) => readonly string[];
}

function maskOf({ mask }: Recorder): Masks {
  if (mask !== undefined) return { all: mask, hides: () => [] };
  // A recording stands in a repository: nothing that the environment calls a secret may get there, whoever runs it.
  const own = createMask(environment());
  const ofRun: (Partial<Mask> & ((text: string) => string)) | undefined = currentRun()?.mask;
  if (ofRun === undefined) return { all: own, hides: own.shapesIn };
  const { values = (text) => text } = ofRun;
  return { all: (text) => ofRun(own(text)), hides: (text) => own.shapesIn(values(text)) };
}

/** The form of an answer that is to be kept, where it has one. */
export function keptJson(value: unknown, lenient: boolean): Kept {
  try {
    return { answer: toJson(value, lenient) };
  } catch (thrown) {
    return { left: `it holds ${messageOf(thrown)}, which cannot be written as JSON` };
  }
}
