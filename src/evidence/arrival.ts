// Owns whether the events of a stream came while something went on, or were all there at once: only the first have times.

export interface Arrival {
  /** To be told of each event, by its type. */
  readonly came: (type: unknown) => void;
  /** A pause of the reader's own: what passes meanwhile says nothing about the source. */
  readonly pause: () => Promise<void>;
  readonly stop: () => void;
}

/** What is told before the agent has done anything says nothing: the work may be over by the next event. */
const BEFOREHAND: ReadonlySet<unknown> = new Set(["workflow", "usage"]);

/** Calls `waited` once, when a later event was not there yet after the first: whoever has all of them gives them within one turn of the event loop. */
export function watchArrival(waited: () => void): Arrival {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let passed = false;
  let known = false;
  const arm = (): void => {
    timer = setTimeout(() => {
      passed = true;
    });
  };
  return {
    came(type) {
      if (known) return;
      if (timer === undefined && !BEFOREHAND.has(type)) arm();
      if (!passed) return;
      known = true;
      waited();
    },
    async pause() {
      const before = passed;
      await new Promise((resolve) => setTimeout(resolve));
      if (known || before || timer === undefined) return;
      clearTimeout(timer);
      passed = false;
      arm();
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
