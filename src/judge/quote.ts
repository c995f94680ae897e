// Owns the question whether a quote stands in what a judge was shown.

import type { Claim } from "../core/claim.ts";
import { EntailError } from "../core/error.ts";
import type { Judgment } from "../core/judgment.ts";

/**
 * Canonically equal text is the same text to every reader (NFC), and where a line breaks says nothing, so any white space equals any other. Nothing
 * else is forgiven: another letter, case, digit or sign is another text, and compatibility forms (`①`, `ﬁ`) are other signs.
 */
function comparable(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").trim();
}

const DIGIT = /^\p{Nd}$/u;
const isDigit = (character: string | undefined): boolean => character !== undefined && DIGIT.test(character);

/** Whether the edge between `inside` and what lies beyond cuts a number: `costs 3` is no quote of `costs 30`, nor of `costs 3.50`. */
function cutsNumber(inside: string | undefined, outside: string | undefined, beyond: string | undefined): boolean {
  if (!isDigit(inside)) return false;
  return isDigit(outside) || ((outside === "." || outside === ",") && isDigit(beyond));
}

function isIn(quote: string, text: string): boolean {
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
    const end = at + quote.length;
    if (!cutsNumber(quote[0], text[at - 1], text[at - 2]) && !cutsNumber(quote.at(-1), text[end], text[end + 1])) return true;
  }
  return false;
}

/** What a model reads in a text of JSON: its escapes resolved, those alone that stand for one sign. */
function unescaped(json: string): string {
  return json.replace(/\\(?:["\\/]|n|r|t|u([0-9a-fA-F]{4}))/g, (escape, code: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return /[nrt]/.test(escape[1] ?? "") ? " " : (escape[1] ?? "");
  });
}

export interface Shown {
  readonly output: string;
  readonly reference: string;
  readonly evidence?: string | undefined;
}

/** Looks for quotes in `shown`; a quote of nothing but white space is found nowhere. */
export function quoteFinder({ output, reference, evidence = "" }: Shown): (quote: string) => boolean {
  let texts: readonly string[] | undefined;
  return (quote) => {
    const wanted = comparable(quote);
    if (wanted === "") return false;
    texts ??= [output, reference, evidence, ...(evidence === "" ? [] : [unescaped(evidence)])].filter((text) => text !== "").map(comparable);
    return texts.some((text) => isIn(wanted, text));
  };
}

/** A judge of the user's own is doubted like any other. Throws `judgment_quote_not_found` for the first quote that a claim asked for and `find` does not find. */
export function checkQuotes(claims: readonly Claim[], judgments: readonly Judgment[], find: (quote: string) => boolean): void {
  const asking = new Set(claims.filter(({ quote }) => quote === true).map(({ id }) => id));
  for (const { claimId, quote } of judgments) {
    if (asking.has(claimId) && quote !== undefined && quote !== "" && !find(quote)) {
      throw new EntailError("judgment_quote_not_found", `the judgment of claim ${JSON.stringify(claimId)} quotes what stands nowhere in what the judge was shown: ${JSON.stringify(quote.slice(0, 200))}`, { stage: "judge" });
    }
  }
}
