// Owns the terminal that progress and summary are written to: lines that stay, and below them an area that is drawn anew.

import { createMarks, createPaint, hasSymbols, type Marks, type Paint, wantsColour } from "./style.ts";
import { printableOutput } from "./printable.ts";

export interface Screen {
  readonly paint: Paint;
  readonly marks: Marks;
  /** Whether the area below is drawn at all. */
  readonly live: () => boolean;
  readonly width: () => number;
  /** Writes lines that stay. */
  readonly print: (lines: readonly string[]) => void;
  /** Replaces the area; its lines must not be wider than the screen. Nothing where it is not live. */
  readonly draw: (lines: readonly string[]) => void;
  /** Writes a text of ours as it is, line break and all, above the area. */
  readonly raw: (text: string) => void;
  /** Passes on what user code wrote, above the area. */
  readonly pass: (text: string) => void;
  /** Takes the area away. */
  readonly close: () => void;
}

export interface ScreenOptions {
  readonly write: (text: string) => void;
  readonly columns: () => number | undefined;
  readonly isTerminal: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Whether to draw the area where there is a terminal for it. */
  readonly mayDraw: () => boolean;
}

const LOG_WIDTH = 400;
export function createScreen({ write, columns, isTerminal, env, platform, mayDraw }: ScreenOptions): Screen {
  const inJob = env["GITHUB_ACTIONS"] === "true";
  const canDraw = isTerminal && env["TERM"] !== "dumb" && !inCi(env);
  const isLive = (): boolean => canDraw && mayDraw();
  let area: readonly string[] = [];
  let atLineStart = true;
  let closed = false;

  /** What takes the area away; the caller writes it together with what comes instead, so that nothing flickers. */
  const erased = (): string => {
    const code = area.length === 0 ? "" : `\u001b[${area.length}A\r\u001b[0J`;
    area = [];
    return code;
  };
  const startLine = (): string => {
    const code = atLineStart ? "" : "\n";
    atLineStart = true;
    return code;
  };
  const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
  const draw = (lines: readonly string[]): void => {
    if (closed || !isLive()) return;
    if (lines.length === area.length && lines.every((line, at) => line === area[at])) return;
    write(erased() + startLine() + textOf(lines));
    area = lines;
  };

  return {
    paint: createPaint(wantsColour(env, isTerminal)),
    marks: createMarks(hasSymbols(env, platform)),
    live: isLive,
    width() {
      const wide = columns() ?? 0;
      // A terminal may say 0. A log has no width: what is one sentence stays one line there.
      return !isTerminal ? LOG_WIDTH : wide > 0 ? Math.max(20, Math.min(wide, 120)) : 80;
    },
    print(lines) {
      if (lines.length === 0) return;
      const before = area;
      write(erased() + startLine() + textOf(inJob ? lines.map(noCommand) : lines));
      draw(before);
    },
    draw,
    raw(text) {
      const before = area;
      write(erased() + startLine() + text);
      draw(before);
    },
    pass(text) {
      if (text === "") return;
      write(isLive() ? erased() + printableOutput(text) : text);
      atLineStart = text.endsWith("\n");
    },
    close() {
      if (closed) return;
      closed = true;
      if (area.length > 0) write(erased());
    },
  };
}

/** Colours of ours may stand before it. */
const COMMAND = new RegExp(`^((?:\\s|${String.fromCharCode(27)}\\[[\\d;]*m)*):(?=:)`);

/** GitHub's runner obeys a line of the log that begins like one of its commands, or that holds one of the older kind: an invisible blank makes text of it. */
function noCommand(line: string): string {
  return line.replace(COMMAND, "$1:\u200b").replaceAll("##[", "#\u200b#[");
}

/** Continuous integration keeps a log, in which a drawn area would be thousands of lines. */
export function inCi(env: NodeJS.ProcessEnv): boolean {
  const ci = env["CI"];
  return ci !== undefined && ci !== "" && ci !== "0" && ci !== "false";
}
