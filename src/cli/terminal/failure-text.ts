// Owns how one failure reads: what was broken, why, and what held beside it.

import type { ScenarioReport } from "../../core/report.ts";
import { counted } from "../../report/number-text.ts";
import type { Page, Piece } from "./page.ts";
import { expectedWords, labelWords, type Reason, reasonsOf } from "../../report/reason.ts";
import type { Marks } from "./style.ts";

/** Makes a text of others harmless: masked, then printable. */
export interface Clean {
  /** Of several lines. */
  text(text: string): string;
  line(text: string): string;
}

const MAX_OUTPUT_LINES = 3;
const MAX_OUTPUT = 400;
/** A diagnostic longer than this is for the report. */
const MAX_TEXT = 8_000;

/** Writes the reasons of a scenario that did not pass, indented by `indent`. Two scenarios that failed alike give the same text. */
export function writeFailure(page: Page, report: ScenarioReport, marks: Marks, clean: Clean, indent: number): void {
  const { reasons, held, notReached } = reasonsOf(report);
  for (const reason of reasons) writeReason(page, reason, marks, clean, indent);
  writeTrials(page, report, marks, indent);
  const kept = [held.checks > 0 ? counted(held.checks, "check") : "", held.claims > 0 ? counted(held.claims, "claim") : "", held.scores > 0 ? counted(held.scores, "score") : ""].filter((text) => text !== "");
  if (kept.length > 0) page.text(indent, "mute", `${kept.join(" and ")} held`);
  if (notReached > 0) page.text(indent, "mute", `${counted(notReached, "turn")} not reached`);
  const claims = reasons.filter((reason) => reason.kind === "claim");
  if (claims.some(({ turn }) => turn === undefined)) writeOutput(page, "output", report.result?.output ?? "", clean, indent);
  for (const turn of new Set(claims.flatMap(({ turn }) => turn ?? []))) {
    writeOutput(page, `output of turn ${turn}`, report.turns?.find((each) => each.turn === turn - 1)?.output ?? "", clean, indent);
  }
  for (const artifact of report.result?.artifacts ?? []) page.row(indent, ["mute", clean.line(artifact.name)], ["mute", clean.line(artifact.uri)]);
}

function writeReason(page: Page, reason: Reason, marks: Marks, clean: Clean, indent: number): void {
  const whole = (of: string): string => clean.text(of.length > MAX_TEXT ? `${of.slice(0, MAX_TEXT)}… (${of.length} characters; the report has them all)` : of);
  const text = (of: string): void => page.text(indent + 2, "plain", whole(of));
  const turn: Piece = ["accent", reason.turn === undefined ? "" : `turn ${reason.turn}`];
  switch (reason.kind) {
    case "error":
      page.row(indent, turn, ["odd", `${clean.line(reason.code)} at ${reason.stage}`]);
      text(reason.message);
      break;
    case "check":
      page.row(indent, turn, ["bad", `${marks.broken.sign} ${clean.line(reason.name)}`]);
      text(reason.diagnostic);
      break;
    case "claim": {
      const mark = marks.label(reason.label);
      page.row(indent, turn, ["bad", `${mark.sign} ${clean.line(reason.id)}`], [mark.tone, `${labelWords(reason.label)}${expectedWords(reason)}`]);
      page.labelled(indent + 2, "claim", whole(reason.text));
      page.labelled(indent + 2, "why  ", whole(reason.rationale));
      if (reason.quote !== undefined) page.labelled(indent + 2, "quote", whole(`“${reason.quote}”`));
      break;
    }
    case "score":
      page.row(indent, turn, [reason.gate ? "bad" : "warn", `${(reason.gate ? marks.broken : marks.outcome("scored")).sign} ${reason.gate ? "gate " : ""}${clean.line(reason.id)}`], ["plain", reason.measure]);
      text(reason.reason);
      break;
    default:
      reason satisfies never;
  }
}

function writeTrials(page: Page, report: ScenarioReport, marks: Marks, indent: number): void {
  const { trials, trialCounts } = report;
  if (trials === undefined || trialCounts === undefined) return;
  const shown = trials.slice(0, 40).map((trial) => marks.outcome(trial.outcome).sign);
  page.row(indent, ["plain", `${trialCounts.passed} of ${counted(trials.length, "trial")} passed`], ["mute", `${shown.join("")}${trials.length > 40 ? "…" : ""}`]);
}

function writeOutput(page: Page, name: string, output: string, clean: Clean, indent: number): void {
  const lines = output.trim().split("\n");
  const kept = lines.slice(0, MAX_OUTPUT_LINES).join("\n");
  const whole = lines.length <= MAX_OUTPUT_LINES && kept.length <= MAX_OUTPUT;
  if (output === "") page.text(indent, "mute", `the ${name} was empty`);
  else page.labelled(indent, name, clean.text(`${kept.slice(0, MAX_OUTPUT)}${whole ? "" : " …"}`));
}
