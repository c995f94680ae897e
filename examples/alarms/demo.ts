// `npm run demo`: generates, runs with progress and a summary, and leaves the report. `-- --break paging` breaks the agent first.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, styleText } from "node:util";
import { FAULTS } from "./agent.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const entail = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));

const { values } = parseArgs({ options: { break: { type: "string" } } });
if (values.break !== undefined && !Object.hasOwn(FAULTS, values.break)) {
  console.error(`--break ${values.break}: the agent can be broken in ${Object.keys(FAULTS).join(", ")}`);
  process.exit(2);
}

function run(...args: readonly string[]): void {
  console.error(styleText("dim", `$ entail ${args.join(" ")}`, { stream: process.stderr }));
  const env = { ...process.env, ...(values.break === undefined ? {} : { ALARMS_BREAK: values.break }) };
  const { status, error } = spawnSync(process.execPath, ["--conditions=entail-source", entail, ...args], { cwd: here, env, stdio: ["ignore", "inherit", "inherit"] });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

run("gen");
run("run", "--output", "report.json");
