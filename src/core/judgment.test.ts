import { isEntailError, LABELS, validateJudgments, type Claim, type Judgment } from "entail";
import { expect, test } from "vitest";

const claims: readonly Claim[] = [
  { id: "one", text: "The first." },
  { id: "two", text: "The second." },
];
const judged = (claimId: string, label: Judgment["label"] = "entailed", rationale = "It says so."): Judgment => ({ claimId, label, rationale });

function fault(of: readonly Claim[], judgments: unknown): { readonly code: string; readonly message: string } {
  try {
    validateJudgments(of, judgments as readonly Judgment[]);
    return { code: "valid", message: "" };
  } catch (error) {
    return isEntailError(error) ? { code: error.code, message: error.message } : { code: "no EntailError", message: String(error) };
  }
}

test("[10] judgments in another order than the claims, with different labels, are valid", () => {
  expect(fault(claims, [judged("two", "contradicted"), judged("one", "indeterminate")]).code).toBe("valid");
});
test("[11] one judgment for two claims is an error that says 1 and 2", () => {
  const { code, message } = fault(claims, [judged("one")]);
  expect(code).toBe("judgment_count_differs");
  expect(message).toMatch(/\b1\b.*\b2\b/);
});
test("[12] a judgment of an unknown claim is an error that names it", () => {
  expect(fault(claims, [judged("one"), judged("three")])).toEqual({ code: "judgment_claim_unknown", message: expect.stringContaining('"three"') });
});
test("[13] two judgments of one claim are an error though their number is right", () => {
  expect(fault(claims, [judged("one"), judged("one")])).toEqual({ code: "judgment_duplicate", message: expect.stringContaining('"one"') });
});
test("[14] the label `maybe` is an error", () => {
  expect(fault(claims, [judged("one"), judged("two", "maybe" as never)])).toEqual({ code: "judgment_label_invalid", message: expect.stringContaining('"maybe"') });
  for (const label of LABELS) expect(fault([claims[0]!], [judged("one", label)]).code).toBe("valid");
});
test("[15] a judgment without a rationale is an error", () => {
  expect(fault(claims, [judged("one"), judged("two", "entailed", "")]).code).toBe("judgment_rationale_missing");
  expect(fault(claims, [judged("one"), { claimId: "two", label: "entailed" }]).code).toBe("judgment_rationale_missing");
});
test("[16] a duplicate among the claims is named before any judgment is looked at", () => {
  expect(fault([claims[0]!, claims[0]!], []).code).toBe("claim_duplicate");
});
