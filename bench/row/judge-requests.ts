// Owns the row about judge requests: how many one answer costs, calibration apart.
import { check, createRunner, type Suite } from "entail";
import { createJudge } from "entail/judge";
import { createClient } from "entail/model";
import { calibrationAnswer, judgeAnswer, scriptedProvider } from "entail/testing";
import type { Figure } from "../figure.ts";

export async function* judgeRequests(): AsyncGenerator<Figure> {
  const claims = Array.from({ length: 12 }, (_, n) => ({ id: `claim_${n}`, text: `The answer says ${n}.` }));
  const provider = scriptedProvider((request) => calibrationAnswer(request) ?? judgeAnswer(request, () => "entailed"));
  const suite: Suite = {
    id: "claims",
    description: "One answer with twelve claims.",
    scenarios: [{ id: "answer", description: "Twelve claims.", tags: [], timeoutMs: 5000, run: () => ({ checks: [check("ran", true, "")], claims, output: "0 to 11" }) }],
  };
  const report = await createRunner({ judge: createJudge(createClient(provider), { maxOutputTokens: 4096 }), maxConcurrency: 1 }).run(suite);
  if (!report.passed) throw new Error(JSON.stringify(report.error ?? report.scenarios[0]?.error));
  yield { name: "judge requests for 12 claims", value: report.scenarios[0]?.judging?.length ?? Number.NaN, unit: "requests", note: "a judge that asks claim by claim needs 12" };
}
