// Owns how the heap of a long run grows. A run makes much and keeps little.

/** Below so many scenarios the heap is left alone: growing by small steps costs a short run more than it saves. */
const MANY = 20_000;

/** Halves the memory of a run of 100,000 scenarios, for no time: the young generation stays small, the old one grows by a fifth at a time. */
export function keepHeapSmall(scenarios: number): void {
  if (scenarios < MANY) return;
  // Not imported: a short run shall not load it.
  const v8 = process.getBuiltinModule("node:v8");
  v8.setFlagsFromString("--semi-space-growth-factor=1");
  v8.setFlagsFromString("--heap-growing-percent=20");
  // How far it may grow is reckoned from what the last collection left, and before the first from what a server has: so there is one now.
  v8.setFlagsFromString("--expose-gc");
  const collect = process.getBuiltinModule("node:vm").runInNewContext("gc") as unknown;
  if (typeof collect === "function") Reflect.apply(collect, undefined, []);
}
