// Owns colours and marks: what each outcome, label and check looks like, with and without colour.

import { styleText } from "node:util";
import type { ComparisonVerdict } from "../../core/comparison.ts";
import type { Label } from "../../core/label.ts";
import type { Outcome } from "../../core/outcome.ts";

/** Colour is spent on what needs a person; shape and word always say it first. */
export type Tone = "good" | "bad" | "warn" | "odd" | "mute" | "accent" | "strong" | "plain";

export type Paint = (tone: Tone, text: string) => string;

const FORMATS = {
  good: "green",
  bad: "red",
  warn: "yellow",
  odd: "magenta",
  mute: "dim",
  accent: "cyan",
  strong: "bold",
} as const satisfies Record<Exclude<Tone, "plain">, Parameters<typeof styleText>[0]>;

/** Paints single lines: an empty text stays empty, so that no line ends in codes. */
export function createPaint(colour: boolean): Paint {
  if (!colour) return (_, text) => text;
  return (tone, text) => (tone === "plain" || text === "" ? text : styleText(FORMATS[tone], text, { validateStream: false }));
}

/** `NO_COLOR` and `FORCE_COLOR` where they are set and not empty, else whether there is a terminal that knows colours. */
export function wantsColour(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  const force = env["FORCE_COLOR"];
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  return isTerminal && env["TERM"] !== "dumb";
}

export interface Mark {
  readonly sign: string;
  readonly tone: Tone;
}

/** Four families that are told apart by their silhouettes: outcomes are round (or a diamond, a triangle), labels square, checks bare. */
const OUTCOMES: Readonly<Record<Outcome, Mark>> = {
  passed: { sign: "○", tone: "good" },
  scored: { sign: "◆", tone: "warn" },
  failed: { sign: "●", tone: "bad" },
  errored: { sign: "▲", tone: "odd" },
  cancelled: { sign: "⊘", tone: "mute" },
  skipped: { sign: "⊖", tone: "mute" },
};

const LABELS: Readonly<Record<Label, Mark>> = {
  entailed: { sign: "□", tone: "good" },
  contradicted: { sign: "■", tone: "bad" },
  not_addressed: { sign: "▫", tone: "mute" },
  indeterminate: { sign: "◪", tone: "warn" },
};

const COMPARISONS: Readonly<Record<ComparisonVerdict, Mark>> = {
  regressed: { sign: "▼", tone: "bad" },
  improved: { sign: "△", tone: "good" },
  "no evidence": { sign: "=", tone: "plain" },
  "too few": { sign: "⋯", tone: "warn" },
};

export interface Marks {
  outcome(outcome: Outcome): Mark;
  comparison(verdict: ComparisonVerdict): Mark;
  label(label: Label): Mark;
  readonly held: Mark;
  readonly broken: Mark;
  readonly arrow: string;
  readonly times: string;
  readonly rule: string;
}

const PLAIN_SIGNS: Readonly<Record<string, string>> = { "○": "o", "◆": "~", "●": "x", "▲": "!", "⊘": "/", "⊖": "-", "□": "+", "■": "#", "▫": ".", "◪": "?", "✓": "+", "✗": "x", "›": ">", "×": "x", "─": "-", "▼": "v", "△": "^", "⋯": ".." };

/** `symbols` false for a terminal that has few of them. */
export function createMarks(symbols: boolean): Marks {
  const sign = (text: string): string => (symbols ? text : (PLAIN_SIGNS[text] ?? text));
  const mark = ({ sign: text, tone }: Mark): Mark => ({ sign: sign(text), tone });
  return {
    outcome: (outcome) => mark(OUTCOMES[outcome]),
    comparison: (verdict) => mark(COMPARISONS[verdict]),
    label: (label) => mark(LABELS[label]),
    held: mark({ sign: "✓", tone: "good" }),
    broken: mark({ sign: "✗", tone: "bad" }),
    arrow: sign("›"),
    times: sign("×"),
    rule: sign("─"),
  };
}

/** Terminals that show a question mark for most symbols. */
export function hasSymbols(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (platform !== "win32") return env["TERM"] !== "linux";
  return env["WT_SESSION"] !== undefined || env["TERM_PROGRAM"] !== undefined || env["CI"] !== undefined;
}
