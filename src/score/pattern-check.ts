// Owns the check of what the assistant said by a regular expression.

import { messageOf } from "../core/error.ts";
import { fold, shown } from "./fold.ts";
import { matchWithin, PATTERN_TIMEOUT_MS } from "./match-within.ts";
import { type CheckScope, requireWhole, saidIn } from "./observed.ts";
import { type CheckOptions, quickCheck, type QuickCheck } from "./quick-check.ts";
import { scorerInvalid } from "./scorer-error.ts";
import { nothing, NOTHING_SAID, placeOf, saidNothing, wholeText } from "./text-check.ts";

export interface MatchesOptions extends CheckOptions {
  /** The whole text must match. */
  readonly exact?: boolean | undefined;
  readonly scope?: CheckScope | undefined;
  /** 1000 when absent. What takes longer is an error of the check, not a 0. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Passes where the expression matches a text of the assistant's, or all of them with a line break between. The expression is used without its state
 * (`g`, `y`); with `exact` it is `^(?:…)$`. Texts are brought to NFC and to `\n`, and keep their spaces and marks.
 */
export function matches(pattern: RegExp | string, options: MatchesOptions = {}): QuickCheck {
  const { exact = false, scope = "all", timeoutMs = PATTERN_TIMEOUT_MS } = options;
  const regex = compiled(pattern, exact);
  return quickCheck(
    {
      base: "check-matches",
      detail: `${regex.source}${regex.flags === "" ? "" : `/${regex.flags}`}${scope === "final" ? "|final" : ""}`,
      description: `What the assistant says matches ${String(regex)}.`,
      find(run, runOptions) {
        const said = saidIn(run, scope, runOptions);
        // A text that was cut off could go on in a way that the whole expression forbids.
        if (exact) requireWhole({ unread: said.unread, what: "all that the assistant said" }, run.evidence);
        const texts = said.texts.map((text) => ({ ...text, text: text.text.normalize("NFC").replace(/\r\n?/g, "\n") }));
        const whole = wholeText(texts, "\n");
        const one = exact || texts.length < 2 ? undefined : texts.find(({ text }) => matchWithin(regex, text, timeoutMs));
        const matched = texts.length > 0 && (one !== undefined || matchWithin(regex, whole, timeoutMs));
        const evidence = { output: whole, pattern: String(regex), matched };
        const place = one ?? (texts.length === 1 ? texts[0] : undefined);
        if (matched) return { score: 1, reason: `${String(regex)} matches${place === undefined || place.message === 0 ? "" : ` in ${placeOf(place)}`}`, evidence };
        requireWhole({ unread: said.unread, what: "all that the assistant said" }, run.evidence);
        if (saidNothing(texts)) return nothing(`expected a match of ${String(regex)}, and ${NOTHING_SAID}`, evidence);
        const folded = fold(whole, false);
        const invisible = folded !== whole && matchWithin(regex, folded, timeoutMs) ? " (it matches once invisible signs and odd spaces are made plain)" : "";
        return { score: 0, reason: `expected a match of ${String(regex)}, found ${shown(whole)}${invisible}`, evidence };
      },
    },
    options,
  );
}

function compiled(pattern: RegExp | string, exact: boolean): RegExp {
  const [source, flags] = typeof pattern === "string" ? [pattern, ""] : [pattern.source, pattern.flags.replace(/[gy]/g, "")];
  try {
    return new RegExp(exact ? `^(?:${source})$` : source, flags);
  } catch (thrown) {
    throw scorerInvalid(`checks.matches: ${JSON.stringify(source)} is no regular expression (${messageOf(thrown)})`);
  }
}
