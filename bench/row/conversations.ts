// Owns the rows about `runEvals`: ten thousand single inputs through ours and through Mastra's, each a whole process of its own.
import { fileURLToPath } from "node:url";
import type { Figure } from "../figure.ts";
import { measure, type Measured } from "../measure.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const script = fileURLToPath(new URL("../case/instant-evals.ts", import.meta.url));
const CASES = "10000";

const side = (name: "ours" | "mastra"): Promise<Measured> => measure([process.execPath, script], root, 3, { SIDE: name, CASES });
const shown = ({ seconds, megabytes }: Measured): string => `${seconds.toFixed(2)} s, ${megabytes.toFixed(0)} MB`;

export async function* conversations(): AsyncGenerator<Figure> {
  const ours = await side("ours");
  const theirs = await side("mastra");
  yield { name: "10,000 evals, whole process", value: ours.seconds * 1000, unit: "ms", note: shown(ours) };
  yield { name: "10,000 evals, time against Mastra", value: ours.seconds / theirs.seconds, unit: "×", note: `@mastra/core: ${shown(theirs)}` };
  yield { name: "10,000 evals, memory against Mastra", value: ours.megabytes / theirs.megabytes, unit: "×", note: "" };
}
