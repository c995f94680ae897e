// Owns the control claim: one more claim in a request, whose right label code knows, so that an answer that was talked into its labels shows.

import type { Claim } from "../core/claim.ts";
import type { Label } from "../core/label.ts";
import { sha256 } from "../core/sha-256.ts";

export interface ControlClaim {
  readonly claim: Claim;
  /** The only right answer. */
  readonly label: Label;
  /** Where it stands among the claims, from 0. */
  readonly position: number;
}

/** True of every text with a word in it, and never of any: what they say is about the text, not about a world. */
const TRUE_OF_WORDS = ["The text contains at least one word.", "The text is not empty.", "The text is made of characters.", "The text has a length of more than zero."] as const;
const FALSE_OF_WORDS = ["The text is completely empty.", "The text contains no word at all.", "The text has no characters.", "The text has a length of zero."] as const;

/** Invented, so that no text speaks of them but by a chance that `controlClaim` looks for. */
const SUBJECTS = ["The lighthouse of Quorvik", "The ferry to Hamblesund", "The clock tower of Brennavale", "The observatory on Tuskerel", "The orchard at Dwellinghay", "The mill of Ostranderfen"] as const;
const STATEMENTS = ["was repainted in green", "closes at noon on Tuesdays", "has exactly nine windows", "was built by three brothers", "is guarded by a grey goose", "moved to the other bank"] as const;

const RIGHT: readonly Label[] = ["contradicted", "not_addressed", "entailed"];

/** All texts of controls: what is told apart by them must change when they do. */
export const CONTROL_TEXTS: readonly string[] = [...TRUE_OF_WORDS, ...FALSE_OF_WORDS, ...SUBJECTS, ...STATEMENTS];

/**
 * The control claim of a request, the same for the same request. Its right label is one that no claim hopes for, where there is one: an answer that
 * gives every claim what passes gets it wrong. Its id and its place tell nothing.
 */
export function controlClaim(claims: readonly Claim[], shown: { readonly output: string; readonly reference: string; readonly evidence?: string | undefined }): ControlClaim {
  const digest = sha256(JSON.stringify([shown.output, shown.reference, shown.evidence ?? "", claims.map(({ id, text }) => [id, text])]));
  const number = (at: number): number => Number.parseInt(digest.slice(at, at + 7), 16);
  const pick = <Item>(items: readonly Item[], at: number): Item => items[number(at) % items.length] as Item;
  const hoped = new Set(claims.map(({ expect = "entailed" }) => expect));
  // Of a text without a word nothing is sure but what it does not speak of.
  const sure: readonly Label[] = /\p{L}/u.test(shown.output) ? RIGHT : ["not_addressed"];
  const unhoped = sure.filter((label) => !hoped.has(label));
  const label = pick(unhoped.length === 0 ? sure : unhoped, 0);
  const text = label === "entailed" ? pick(TRUE_OF_WORDS, 7) : label === "contradicted" ? pick(FALSE_OF_WORDS, 7) : foreignStatement(`${shown.output} ${shown.reference} ${shown.evidence ?? ""}`, number(7), number(14));
  const ids = new Set(claims.map((claim) => claim.id));
  let id = claimLike(claims[number(21) % claims.length]?.id ?? "claim", digest);
  while (ids.has(id)) id = `${id}_`;
  return { claim: { id, text }, label, position: number(28) % (claims.length + 1) };
}

/** One of whose subject nothing that is shown speaks. */
function foreignStatement(shown: string, subjectAt: number, statementAt: number): string {
  const known = shown.toLowerCase();
  const name = (subject: string): string => subject.split(" ").at(-1)?.toLowerCase() ?? subject;
  const foreign = SUBJECTS.filter((subject) => !known.includes(name(subject)));
  const from = foreign.length === 0 ? SUBJECTS : foreign;
  const subject = from[subjectAt % from.length] ?? SUBJECTS[0];
  return `${subject} ${STATEMENTS[statementAt % STATEMENTS.length]}.`;
}

/** `complete_answer` gives `complete_3fa1`: of the same make as its neighbours. */
function claimLike(neighbour: string, digest: string): string {
  const word = /^[A-Za-z]+/.exec(neighbour)?.[0] ?? "claim";
  return `${word}_${digest.slice(40, 44)}`;
}

/** The right label of a claim that is a control, by its text: for a scripted judge that is to get them right. */
export function controlLabel(text: string): Label | undefined {
  if ((TRUE_OF_WORDS as readonly string[]).includes(text)) return "entailed";
  if ((FALSE_OF_WORDS as readonly string[]).includes(text)) return "contradicted";
  return SUBJECTS.some((subject) => STATEMENTS.some((statement) => text === `${subject} ${statement}.`)) ? "not_addressed" : undefined;
}
