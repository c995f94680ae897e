// Owns the rows about instant cases: the whole process of the published command, its report streamed to a file, beside the peer's. Results are stored, but for the
// row of one case: there the peer, which stores nothing, sets the terms, and what the store adds stands beside it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Figure } from "../figure.ts";
import { measure, type Measured } from "../measure.ts";
import type { Peer } from "../peer.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const entail = join(root, "dist/cli/main.js");
const evalFile = join(root, "bench/case/instant.eval.ts");

async function ours(cases: number, runs: number, stored = true): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "entail-bench-"));
  try {
    const kept = stored ? ["--store", join(folder, "entail.db")] : ["--no-store"];
    return await measure([process.execPath, entail, "run", evalFile, "--output", join(folder, "report.json"), ...kept], root, runs, { CASES: String(cases) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const shown = ({ seconds, megabytes }: Measured): string => `${seconds.toFixed(2)} s, ${megabytes.toFixed(0)} MB`;

export async function* instantCases(peer: Peer | undefined): AsyncGenerator<Figure> {
  let tenThousand: Measured | undefined;
  for (const cases of [1, 1000, 10_000]) {
    const us = await ours(cases, cases === 1 ? 9 : 5, cases > 1);
    if (cases === 1) {
      const stored = await ours(1, 9);
      yield { name: "one case, results stored", value: stored.seconds * 1000, unit: "ms", note: shown(stored) };
    }
    if (cases === 10_000) tenThousand = us;
    const label = cases === 1 ? "one case" : `${cases.toLocaleString("en")} cases`;
    yield { name: `${label}, whole process`, value: us.seconds * 1000, unit: "ms", note: shown(us) };
    if (peer === undefined) continue;
    const them = await measure(peer.command(cases), peer.folder, 3);
    yield { name: `${label}, time against the peer`, value: us.seconds / them.seconds, unit: "×", note: `${peer.name}: ${shown(them)}` };
    if (cases > 1) yield { name: `${label}, memory against the peer`, value: us.megabytes / them.megabytes, unit: "×", note: "" };
  }
  const hundred = await ours(100_000, 3);
  yield { name: "100,000 cases, whole process", value: hundred.seconds * 1000, unit: "ms", note: shown(hundred) };
  if (tenThousand === undefined) return;
  yield { name: "100,000 cases, time against our 10,000", value: hundred.seconds / tenThousand.seconds, unit: "×", note: "" };
  yield { name: "100,000 cases, memory against our 10,000", value: hundred.megabytes / tenThousand.megabytes, unit: "×", note: "" };
}
