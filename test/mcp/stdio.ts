// Runs as an MCP server over stdio: `node stdio.ts list <catalogue.json> [page size]`, `node stdio.ts alarms`, or one of those that misbehave.
import { appendFileSync, readFileSync } from "node:fs";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { alarmServer, listingServer, type Listed } from "./alarm-server.ts";

const [mode = "", file = "", size = "100"] = process.argv.slice(2);
const catalogue = (): readonly Listed[] => JSON.parse(readFileSync(file, "utf8")) as readonly Listed[];
const log = process.env["MCP_LOG"];
// Each process says that it is there, and that it has ended.
if (log !== undefined) {
  appendFileSync(log, `start ${process.pid}\n`);
  process.on("exit", () => appendFileSync(log, `end ${process.pid}\n`));
}

switch (mode) {
  case "list":
    await listingServer(catalogue, Number(size)).connect(new StdioServerTransport());
    break;
  case "endless":
    await listingServer(catalogue, 1, true).connect(new StdioServerTransport());
    break;
  case "alarms":
    await alarmServer().connect(new StdioServerTransport());
    break;
  case "talkative":
    for (let line = 0; line < 20_000; line++) process.stderr.write(`line ${line} of what nobody needs to know\n`);
    await listingServer(catalogue).connect(new StdioServerTransport());
    break;
  case "stubborn":
    // Ends neither with its input nor when asked to.
    process.on("SIGTERM", () => undefined);
    setInterval(() => undefined, 1000);
    await listingServer(catalogue).connect(new StdioServerTransport());
    break;
  case "silent":
    process.stderr.write("waiting for a database\n");
    process.stdin.resume();
    break;
  case "crashing":
    process.stderr.write("starting\nError: ALARM_TOKEN is not set\n");
    process.exitCode = 3;
    break;
  case "chatting":
    process.stdout.write("Server ready on stdio!\n");
    process.stdin.resume();
    break;
  default:
    throw new Error(`no mode ${JSON.stringify(mode)}`);
}
