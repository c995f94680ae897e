// Owns interrupts: the first cancels the run, which then tells what it knows; a second ends the process at once.

import { EntailError } from "../../core/error.ts";

export interface Interrupt {
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  /** 130 or 143, once there was one. */
  readonly exitCode: () => number | undefined;
  /** Listens again where something took the listeners away. */
  readonly listenAgain: () => void;
  readonly close: () => void;
}

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;
type Name = keyof typeof CODES;

export interface InterruptOptions {
  readonly first: (signal: Name) => void;
  readonly second: (exitCode: number) => void;
  /** The process, or a stand-in that emits the same events. */
  readonly source?: Pick<NodeJS.EventEmitter, "on" | "off"> | undefined;
}

export function listenForInterrupt({ first, second, source = process }: InterruptOptions): Interrupt {
  const controller = new AbortController();
  let code: number | undefined;
  const heard = (name: Name): void => {
    if (code !== undefined) return second(CODES[name]);
    code = CODES[name];
    first(name);
    controller.abort(new EntailError("cancelled", name === "SIGINT" ? "interrupted (SIGINT)" : "terminated (SIGTERM)"));
  };
  const listen = (): void => {
    for (const name of Object.keys(CODES)) source.off(name, heard).on(name, heard);
  };
  listen();
  return {
    listenAgain: listen,
    signal: controller.signal,
    exitCode: () => code,
    close: () => {
      for (const name of Object.keys(CODES)) source.off(name, heard);
    },
  };
}
