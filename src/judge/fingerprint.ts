// Owns a judge's fingerprint: the digest of all that shapes its answers, so that what was measured of one judge is never said of another.

import type { Evidence } from "../core/evidence.ts";
import { LABELS } from "../core/label.ts";
import type { ModelClass } from "../core/model.ts";
import { sha256 } from "../core/sha-256.ts";
import { CONTROL_TEXTS } from "./control-claim.ts";
import { correctionNote } from "./correction-note.ts";
import { dataBlock } from "./data-block.ts";
import { gradingTool } from "./grading-tool.ts";
import { EVIDENCE_INSTRUCTIONS, INSTRUCTIONS } from "./instructions.ts";
import { renderEvidence } from "./render-evidence.ts";

export interface Fingerprinted {
  readonly model: string | undefined;
  readonly modelClass: ModelClass;
  readonly temperature: number;
  readonly maxOutputTokens: number;
  readonly maxCorrections: number;
  readonly judgeEvidence: boolean;
  readonly controls: boolean;
}

// What is sent for these is what is sent for any: a change of a text, the schema's form or the rendering changes it.
const CLAIMS = [
  { id: "a", text: "A." },
  { id: "b", text: "B.", quote: true },
] as const;
const EVIDENCE: Evidence = {
  runId: "r",
  sessionId: "s",
  answer: "",
  ended: false,
  observes: { args: true, results: false, failureKinds: true, parents: true, approvals: true, bounds: true, deltas: true },
  toolCalls: [
    { toolCallId: "1", toolName: "look up", args: {}, argsJson: "{}", resultJson: JSON.stringify("x".repeat(400)), completed: true, approval: "approved", bounds: { returned: 1, total: 2, truncated: true } },
    { toolCallId: "2", toolName: "send", args: {}, argsJson: "no\nJSON", failure: { kind: "timeout", error: { message: "late" } }, completed: false, parentToolCallId: "1" },
  ],
};

function requestForm(judgeEvidence: boolean): readonly unknown[] {
  const form = [judgeEvidence ? EVIDENCE_INSTRUCTIONS : INSTRUCTIONS, correctionNote([{ cause: "c", note: "n" }]), gradingTool(CLAIMS), LABELS];
  const rendered = [renderEvidence(EVIDENCE), renderEvidence(EVIDENCE, 500), renderEvidence(EVIDENCE, 60)];
  return judgeEvidence ? [...form, rendered, dataBlock({ output: "o<", reference: "r\u2028", evidence: "e" })] : [...form, dataBlock({ output: "o<", reference: "r\u2028" })];
}

/** 64 hex digits. A model that its provider does not name is told apart by what its answers say of it (`measurementFor`). */
export function judgeFingerprint({ model = "", modelClass, temperature, maxOutputTokens, maxCorrections, judgeEvidence, controls }: Fingerprinted): string {
  return sha256(JSON.stringify([model, modelClass, temperature, maxOutputTokens, maxCorrections, requestForm(judgeEvidence), controls ? CONTROL_TEXTS : []]));
}

/** Of a panel, whose members each have one; `undefined` where one has none. */
export function panelFingerprint(members: readonly (string | undefined)[]): string | undefined {
  return members.includes(undefined) ? undefined : sha256(JSON.stringify(["panel", members]));
}
