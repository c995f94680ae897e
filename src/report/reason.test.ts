import type { ScenarioReport } from "entail";
import { expect, test } from "vitest";
import { firstReason, reasonLine, reasonsOf, reasonText } from "./reason.ts";

const conversation: ScenarioReport = {
  id: "brooklyn", outcome: "failed", passed: false, startedAt: "2026-11-30T10:00:00Z", durationMs: 3,
  result: { checks: [{ name: "check-includes", passed: false, diagnostic: "Brooklyn is missing" }, { name: "turn 2: check-called-tool", passed: false, diagnostic: "get_weather was not called" }, { name: "own", passed: true }] },
  scores: [{ id: "check-includes", base: "check-includes", kind: "gate", score: 0, passed: false, reason: "Brooklyn is missing" }],
  turns: [
    { turn: 0, outcome: "passed", scores: [{ id: "check-called-tool", base: "check-called-tool", kind: "gate", turn: 0, score: 1, passed: true }] },
    {
      turn: 1, outcome: "failed", claims: [{ id: "polite", text: "It is polite." }], judgments: [{ claimId: "polite", label: "not_addressed", rationale: "It says nothing.", passed: false }],
      scores: [{ id: "check-called-tool", base: "check-called-tool", kind: "gate", turn: 1, score: 0, passed: false, reason: "get_weather was not called" }, { id: "similarity", base: "similarity", kind: "scorer", turn: 1, score: 0.449_999, threshold: 0.45, passed: false, reason: "few words in common" }],
    },
    { turn: 2, outcome: "not_reached" },
  ],
};

test("reasons of a conversation name their turn, a gate and its check are told once, and what was not reached is counted", () => {
  const { reasons, held, notReached } = reasonsOf(conversation);
  expect(reasons.map(reasonLine)).toEqual([
    "gate check-includes: Brooklyn is missing",
    "turn 2: polite: not addressed. It says nothing.",
    "turn 2: gate check-called-tool: get_weather was not called",
    "turn 2: similarity: 0.449999, below 0.450000; few words in common",
  ]);
  expect([held, notReached]).toEqual([{ checks: 1, claims: 0, scores: 1 }, 1]);
  expect(reasons.map(reasonText)[1]).toBe("turn 2: polite: not addressed\nclaim: It is polite.\nwhy: It says nothing.");
  expect(firstReason(conversation)).toBe("gate check-includes: Brooklyn is missing");
});

test("a claim that was expected to be something else says what, a scorer that broke says that it could not be scored", () => {
  const report: ScenarioReport = {
    id: "a", outcome: "failed", passed: false, startedAt: "2026-11-30T10:00:00Z", durationMs: 3, result: {},
    judgments: [{ claimId: "denied", label: "entailed", rationale: "It does.", passed: false, expect: "contradicted" }],
    scores: [{ id: "length", base: "length", kind: "scorer", score: 0.9, thresholdMax: 0.5, passed: false }, { id: "broken", base: "broken", kind: "scorer", error: "no model" }],
  };
  expect(reasonsOf(report).reasons.map(reasonLine)).toEqual(["denied: entailed, contradicted was expected. It does.", "length: 0.90, above 0.50", "broken: could not be scored; no model"]);
});
