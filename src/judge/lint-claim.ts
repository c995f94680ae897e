// Owns the rules for a claim that a judge can decide: one fact, named in full, said as it should be. They read English and judge no meaning.

export const CLAIM_RULES = ["compound", "pronoun", "negation"] as const;

export interface ClaimWarning {
  readonly rule: (typeof CLAIM_RULES)[number];
  /** The word that shows it, as it stands in the claim. */
  readonly word: string;
  /** What is wrong and what would mend it, in one sentence. */
  readonly message: string;
}

/** What stands in quotation marks is what should be found, not how the claim is said. */
const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|`[^`]*`|(?<=^|[\s(])'[^']*'(?=$|[\s.,;:)!?])/gu;
/** A clause that says what satisfies the one before it belongs to it: `…; quoting none satisfies this`. */
const SATISFIES = /[;,]\s*(?:and\s+)?[^;.]*\b(?:satisf(?:y|ies)|is (?:fine|allowed|enough)|counts?)\b[^;.]*/giu;
const DECIMAL = /\d[.,:]\d/gu;

/** In the order in which their words stand; nothing for a claim that reads well. */
export function lintClaim(text: string): readonly ClaimWarning[] {
  const plain = text.replace(QUOTED, (quoted) => "\u0000".repeat(quoted.length)).replace(SATISFIES, (clause) => " ".repeat(clause.length)).replace(DECIMAL, "000");
  const found = [compound(plain), pronoun(plain), negation(plain)].flatMap((each) => each ?? []);
  return found.sort((a, b) => a.at - b.at).map(({ at: _at, ...warning }) => warning);
}

type Found = ClaimWarning & { readonly at: number };

/** `between 3 and 5`, `3 and 5`, `read and write` of one name: a list of values is one fact only as a range. */
const JOINS = /(?<!\bbetween\b[^.;]*)\b(and|but|as well as|while|whereas)\b|(;)\s*\S|(?<=[.!?])\s+(?=\p{Lu})/giu;

function compound(plain: string): Found | undefined {
  for (const match of plain.matchAll(JOINS)) {
    const word = match[1] ?? match[2] ?? "";
    if (word === "" && /\b(?:e\.g|i\.e|vs|no|dr|mr|ms|st)\.$/i.test(plain.slice(0, match.index))) continue;
    const what = word === "" ? "has two sentences" : `joins two facts with ${JSON.stringify(word)}`;
    return { rule: "compound", word, at: match.index, message: `it ${what}: make a claim of each, so that a wrong one shows which` };
  }
  return undefined;
}

/** What a pronoun after it can stand for: a noun with an article, or a name. */
const NOUN = /\b(?:the|a|an|every|each|any|all|some|no|both|one|two|three|its|their)\s+\p{L}+/iu;
const NAME = /(?<=\S\s)\p{Lu}\p{L}+|\p{L}+\s+\d/u;
const PRONOUNS = /\b(it|its|he|him|his|she|her|hers|they|them|their|theirs)\b/giu;
/** `It is stated that …` speaks of nothing. */
const EMPTY_IT = /^\s*it (?:is|was|will be) (?:\p{L}+ly )?\p{L}+ (?:that|to|whether)\b/iu;

function pronoun(plain: string): Found | undefined {
  const pointing = /^\s*(this|that|these|those)\b/iu.exec(plain);
  const personal = EMPTY_IT.test(plain) ? undefined : [...plain.matchAll(PRONOUNS)].find(({ index }) => !NOUN.test(plain.slice(0, index)) && !NAME.test(plain.slice(0, index)));
  const word = pointing?.[1] ?? personal?.[1];
  if (word === undefined) return undefined;
  return { rule: "pronoun", word, at: pointing === null ? (personal?.index ?? 0) : pointing.index, message: `nothing in the claim says what ${JSON.stringify(word)} is: name it, since the judge reads each claim by itself` };
}

/** Limits are no negations: `no later than noon`. */
const LIMITS = /\b(?:no|not) (?:later|earlier|more|less|fewer|longer|sooner|higher|lower) than\b|\bnot only\b|\bnothing but\b/giu;
const NEGATIONS = /\b(not|never|no|none|nothing|nobody|nowhere|neither|nor|without|cannot)\b|\b(\p{L}+n['’]t)\b/giu;

function negation(plain: string): Found | undefined {
  const match = plain.replace(LIMITS, (limit) => " ".repeat(limit.length)).matchAll(NEGATIONS).next().value;
  const word = match?.[1] ?? match?.[2];
  if (match === undefined || word === undefined) return undefined;
  return { rule: "negation", word, at: match.index, message: `it says what is not so, with ${JSON.stringify(word)}: say what would be wrong, and let the claim expect "not_addressed" or "contradicted"` };
}
