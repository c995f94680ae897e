// `npm run bench`: the numbers that the product promises, measured on this machine, as ratios where there is a peer. `-- --row collector`
// takes one row; `-- --no-peer` leaves the peer out. Exits 1 where a ceiling of `ceilings.json` is not kept.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { collector } from "./row/collector.ts";
import { conversations } from "./row/conversations.ts";
import { install } from "./row/install.ts";
import { instantCases } from "./row/instant-cases.ts";
import { judgeRequests } from "./row/judge-requests.ts";
import { makespan } from "./row/makespan.ts";
import { viewer } from "./row/viewer.ts";
import { installPeer } from "./peer.ts";

const ROWS = { "instant-cases": instantCases, "judge-requests": judgeRequests, makespan, collector, conversations, viewer, install } as const;

const { values } = parseArgs({ options: { row: { type: "string" }, "no-peer": { type: "boolean" } } });
const ceilings = JSON.parse(readFileSync(new URL("./ceilings.json", import.meta.url), "utf8")) as Record<string, { atMost?: number; atLeast?: number }>;
const rows = Object.entries(ROWS).filter(([name]) => values.row === undefined || values.row === name);
if (rows.length === 0) {
  console.error(`--row ${values.row}: the rows are ${Object.keys(ROWS).join(", ")}`);
  process.exit(2);
}
const peer = values["no-peer"] === true ? undefined : installPeer(new URL("../node_modules/.entail-bench", import.meta.url).pathname);

let broken = 0;
for (const [, row] of rows) {
  for await (const { name, value, unit, note } of row(peer)) {
    const { atMost, atLeast } = ceilings[name] ?? {};
    const kept = (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
    if (!kept) broken++;
    const bar = atMost !== undefined ? `at most ${atMost}` : atLeast !== undefined ? `at least ${atLeast.toLocaleString("en")}` : "";
    const shown = value >= 1000 ? Math.round(value).toLocaleString("en") : value.toFixed(value < 10 ? 3 : 1);
    console.log(`${kept ? " " : "!"} ${name.padEnd(44)} ${shown.padStart(10)} ${unit.padEnd(10)} ${bar.padEnd(18)} ${note}`);
  }
}
if (broken > 0) console.error(`${broken} figure(s) do not keep their ceiling`);
process.exit(broken > 0 ? 1 : 0);
