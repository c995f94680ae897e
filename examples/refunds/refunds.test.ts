// Holds the example that fails on purpose: each scenario goes wrong in its own way, and the output says why.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { decodeReport } from "entail";
import { expect, test } from "vitest";

test("each scenario of the careless agent is told apart: failed by check, by claim, out of time, unreachable, or right", () => {
  const entail = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--conditions=entail-source", entail, "run", "refunds.eval.ts"], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const report = decodeReport(stdout);
  expect(report.scenarios.map(({ id, outcome, error }) => [id, outcome, error?.code])).toEqual([
    ["partial_refund", "failed", undefined],
    ["goodbye", "failed", undefined],
    ["policy_answer", "failed", undefined],
    ["slow_lookup", "errored", "deadline_exceeded"],
    ["wrong_address", "errored", "hook_threw"],
    ["opening_hours", "passed", undefined],
  ]);
  expect(status).toBe(1);
  for (const words of ["paid back 80 instead of 25", "forbidden tool called: close_account", "The answer says 14, not 30.", "did not end within the scenario's 300ms", "the shop at 127.0.0.1:1 refused the connection"]) {
    expect(stderr).toContain(words);
  }
});
