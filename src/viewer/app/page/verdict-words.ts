// Owns a turn's verdict in words.

import type { TurnForm } from "../../answer/form.ts";
import { plural } from "../part/number.ts";

/** `a gate and 2 claims fail`. */
export function verdictOf({ outcome, claims, gates, scores }: Pick<TurnForm, "outcome" | "claims" | "gates" | "scores">): string {
  if (outcome === "errored" || outcome === "cancelled" || outcome === "skipped") return outcome;
  const failed = (list: readonly { readonly passed?: boolean | undefined }[]): number => list.filter(({ passed }) => passed === false).length;
  const counts = [
    [failed(gates.filter(({ kind }) => kind === "gate")), "gate"],
    [failed(gates.filter(({ kind }) => kind === "check")), "check"],
    [failed(claims), "claim"],
  ] as const;
  const broken = counts.filter(([n]) => n > 0);
  if (broken.length > 0) return `${broken.map(([n, word]) => (n === 1 ? `a ${word}` : `${n} ${word}s`)).join(" and ")} ${broken.length === 1 && broken[0]?.[0] === 1 ? "fails" : "fail"}`;
  const missed = failed(scores);
  if (missed > 0) return `${plural(missed, "score")} below ${missed === 1 ? "its" : "their"} threshold`;
  return outcome === "passed" ? "holds" : outcome.replaceAll("_", " ");
}
