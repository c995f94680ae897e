// Owns the ids of runs: UUIDs of version 7 (RFC 9562, 5.7), which sort by the time they were made.

const LARGEST_COUNT = 0xfff;

/**
 * A source of ids. Those of one source only grow, also within one millisecond and when the system's clock is set back: the 12 bits after
 * the version count up from a random start (RFC 9562, 6.2, method 1).
 */
export function createRunIds(now: () => number = Date.now, randomBytes: (count: number) => Uint8Array = (count) => crypto.getRandomValues(new Uint8Array(count))): () => string {
  let time = 0;
  let count = 0;
  return () => {
    const random = randomBytes(10);
    const current = Math.floor(now());
    if (current > time) {
      time = current;
      // The upper half is left for counting up.
      count = (((random[8] ?? 0) << 8) | (random[9] ?? 0)) & 0x7ff;
    } else if (++count > LARGEST_COUNT) {
      time += 1;
      count = 0;
    }
    const tail = Array.from(random.subarray(0, 8), (byte, at) => (at === 0 ? 0x80 | (byte & 0x3f) : byte).toString(16).padStart(2, "0")).join("");
    const stamp = time.toString(16).padStart(12, "0");
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${count.toString(16).padStart(3, "0")}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };
}

/** The ids of this process. */
export const newRunId: () => string = createRunIds();
