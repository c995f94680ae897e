// Owns the panel: several judges as one, whose disagreement is its own answer and never a majority passed off as accuracy.

import type { Claim } from "../core/claim.ts";
import { EntailError, isEntailError, messageOf } from "../core/error.ts";
import type { Judge, JudgeIdentity, JudgeRequest } from "../core/judge.ts";
import { validateJudgments, type Judgment, type Vote } from "../core/judgment.ts";
import { panelFingerprint } from "./fingerprint.ts";
import { checkQuotes, quoteFinder } from "./quote.ts";
import { recorder } from "./recorder.ts";

/**
 * A judge that asks all of `judges` the same. What they agree on is its label; where they disagree it is `indeterminate`, with what each said, word for
 * word, in `votes`. Where one of them gives no answer, neither does the panel, and the others are stopped. Throws `option_invalid` for fewer than two
 * judges. Two judges of one model err alike: a panel is worth its different ones.
 */
export function panel(judges: readonly Judge[]): Judge {
  if (!Array.isArray(judges) || judges.length < 2 || judges.some((judge: Partial<Judge> | null | undefined) => typeof judge?.judge !== "function")) {
    throw new EntailError("option_invalid", "panel needs a list of two judges or more, each as createJudge makes it");
  }
  const members = [...(judges as readonly Judge[])];
  const names = memberNames(members);

  async function judge(request: JudgeRequest): Promise<readonly Judgment[]> {
    const failed = new AbortController();
    const signal = request.signal === undefined ? failed.signal : AbortSignal.any([request.signal, failed.signal]);
    const record = recorder(request.record);
    const asked = members.map(async (member, at) => {
      try {
        const evidence = member.judgeEvidence === true ? request.evidence : undefined;
        const judgments = await member.judge({
          ...request,
          signal,
          evidence,
          // Two members of one model make equal requests, which a recording tells apart.
          scope: request.scope === undefined ? undefined : { ...request.scope, purpose: `${request.scope.purpose}.${at + 1}` },
          record: (attempt) => record({ ...attempt, member: at + 1 }),
        });
        validateJudgments(request.claims, judgments);
        checkQuotes(request.claims, judgments, quoteFinder({ ...request, evidence }));
        return judgments;
      } catch (cause) {
        throw named(cause, names[at] ?? "", at + 1);
      }
    });
    try {
      const answers = await Promise.all(asked);
      return request.claims.map((claim) => joint(claim, answers, names));
    } catch (error) {
      failed.abort(error);
      // Nobody waits for a judge that does not stop; what it still says is no unhandled rejection.
      void Promise.allSettled(asked);
      throw error;
    }
  }

  return Object.freeze({ judge, identity: identityOf(members), ...(members.some((member) => member.judgeEvidence === true) && { judgeEvidence: true }) });
}

function joint(claim: Claim, answers: readonly (readonly Judgment[])[], names: readonly string[]): Judgment {
  const votes = answers.map((judgments, at): Vote => {
    // `validateJudgments` has found it.
    const { label, rationale, quote } = judgments.find(({ claimId }) => claimId === claim.id) as Judgment;
    return Object.freeze({ judge: names[at] ?? "", label, rationale, ...(quote !== undefined && quote !== "" && { quote }) });
  });
  const [first] = votes as [Vote, ...Vote[]];
  const agreed = votes.every(({ label }) => label === first.label);
  const quote = agreed ? votes.find((vote) => vote.quote !== undefined)?.quote : undefined;
  return {
    claimId: claim.id,
    label: agreed ? first.label : "indeterminate",
    rationale: agreed ? `All ${votes.length} judges of the panel say ${first.label}.` : `The judges of the panel disagree: ${votes.map((vote) => `${vote.judge} says ${vote.label}`).join(", ")}.`,
    ...(quote !== undefined && { quote }),
    votes,
  };
}

/** Its own name where it has one, and its place where two have the same. */
function memberNames(members: readonly Judge[]): readonly string[] {
  const said = members.map(({ identity }, at) => identity?.model ?? identity?.modelClass ?? `judge ${at + 1}`);
  return said.map((name, at) => (said.indexOf(name) === said.lastIndexOf(name) ? name : `${name} (judge ${at + 1})`));
}

function named(cause: unknown, name: string, place: number): unknown {
  if (!isEntailError(cause) || cause.code === "cancelled") return cause;
  const error = new EntailError(cause.code, `judge ${place} of the panel, ${name}: ${messageOf(cause)}`, { stage: cause.stage ?? "judge", cause, faults: cause.faults });
  const { attempts } = cause as { readonly attempts?: unknown };
  return attempts === undefined ? error : Object.defineProperty(error, "attempts", { value: attempts });
}

function identityOf(members: readonly Judge[]): JudgeIdentity {
  const identities = members.map(({ identity }) => identity ?? {});
  const flat = identities.flatMap(({ members: inner, ...own }) => inner ?? [own]);
  const fingerprint = panelFingerprint(identities.map((identity) => identity.fingerprint));
  const models = identities.flatMap(({ model }) => model ?? []);
  return Object.freeze({
    ...(models.length === identities.length && { model: models.join(" + ") }),
    ...(identities.some(({ rawArguments }) => rawArguments === false) && { rawArguments: false }),
    ...(fingerprint !== undefined && { fingerprint }),
    members: Object.freeze(flat.map((identity) => Object.freeze(identity))),
  });
}
