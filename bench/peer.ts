// Owns the peer that our figures are held against: installed into a folder of its own, run by the Node of this repository.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The versions that work together; vitest-evals asks for vitest 4. */
const PACKAGES = { "vitest-evals": "0.16.1", vitest: "4.1.12", ai: "6.0.326", zod: "4.6.7", tinyrainbow: "3.2.0" } as const;

export interface Peer {
  readonly folder: string;
  readonly name: string;
  /** The command that runs `cases` instant cases. */
  command(cases: number): readonly string[];
}

const CASES = `
import { expect } from "vitest";
import { createHarness, describeEval } from "vitest-evals";
const count = Number(process.env.CASES);
const harness = createHarness({ name: "instant", run: ({ input }) => ({ output: \`answer \${input}\`, messages: [{ role: "user", content: input }, { role: "assistant", content: \`answer \${input}\` }] }) });
describeEval("instant", { harness }, (it) => {
  it.for(Array.from({ length: count }, (_, n) => ({ name: \`case_\${n}\`, input: String(n) })))("$name", async ({ input }, { run }) => {
    const result = await run(input);
    expect(result.output).toBe(\`answer \${input}\`);
  });
});
`;

/** Installs vitest-evals below `folder` unless it is there. Its version is printed beside each ratio. */
export function installPeer(folder: string): Peer {
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.stringify({ name: "peers", private: true, type: "module", dependencies: PACKAGES }, null, 2);
  const installed = existsSync(join(folder, "package.json")) && readFileSync(join(folder, "package.json"), "utf8") === manifest && existsSync(join(folder, "node_modules", "vitest-evals"));
  if (!installed) {
    writeFileSync(join(folder, "package.json"), manifest);
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder, stdio: "inherit" });
  }
  writeFileSync(join(folder, "instant.eval.ts"), CASES);
  writeFileSync(join(folder, "vitest.config.ts"), `export default { test: { include: ["*.eval.ts"] } };\n`);
  return {
    folder,
    name: `vitest-evals ${PACKAGES["vitest-evals"]} on vitest ${PACKAGES.vitest}`,
    command: (cases) => ["env", `CASES=${cases}`, process.execPath, join(folder, "node_modules/vitest/vitest.mjs"), "run"],
  };
}
