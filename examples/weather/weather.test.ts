// Holds the example: its three eval files pass through the command, and a forgetful agent turns exactly the conversations red that need a memory.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { decodeReport, type Report } from "entail";
import { expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const entail = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = process.env;

function run(more: NodeJS.ProcessEnv = {}): { readonly status: number | null; readonly reports: readonly Report[] } {
  const { status, stdout } = spawnSync(process.execPath, ["--conditions=entail-source", entail, "run", "--no-store"], { cwd: here, encoding: "utf8", env: { ...env, NO_COLOR: "1", ...more } });
  return { status, reports: (JSON.parse(stdout) as { readonly reports: readonly unknown[] }).reports.map((report) => decodeReport(report)) };
}

const outcomes = (reports: readonly Report[]): Readonly<Record<string, string>> => Object.fromEntries(reports.flatMap(({ scenarios }) => scenarios.map(({ id, outcome }) => [id, outcome])));

test("every conversation passes: as data, from a table, and in hooks", () => {
  const { status, reports } = run();
  expect(outcomes(reports)).toEqual({
    one_question: "passed", remembers_the_city: "passed", calls_again: "passed", lisbon_today: "passed", brooklyn_tomorrow: "passed", follow_up: "passed", unknown_city: "passed",
  });
  expect([status, reports.map(({ verdict }) => verdict)]).toEqual([0, ["passed", "passed", "passed"]]);
});

// In a hook the adapter's target is given the conversation so far where the agent keeps none, so the follow-up there still passes.
test("without memory the agent's conversations that rest on an earlier turn fail, and no other", () => {
  const { status, reports } = run({ WEATHER_MEMORY: "off" });
  expect(outcomes(reports)).toEqual({
    one_question: "passed", remembers_the_city: "failed", calls_again: "failed", lisbon_today: "failed", brooklyn_tomorrow: "failed", follow_up: "passed", unknown_city: "passed",
  });
  expect(status).toBe(1);
  expect(reports.flatMap(({ warnings = [] }) => warnings.map(({ code }) => code)).filter((code) => code === "no_memory").length).toBeGreaterThan(0);
});
