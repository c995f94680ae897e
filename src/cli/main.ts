#!/usr/bin/env node
// Owns the start of the command. It says in one sentence that Node is too old, so it must load on Node 18: plain syntax, and nothing of ours imported before the version is known.

import * as nodeModule from "node:module";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  const message = `entail needs Node 22.18 or newer and this is Node ${process.versions.node}: install a newer one and run the same command again`;
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ error: { code: "node_too_old", message } })}\n`);
  process.stderr.write(`error  ${message}\n`);
  process.exitCode = 2;
} else {
  nodeModule.enableCompileCache();
  void import("./entail.ts").then((entail) => entail.runEntail(process.argv.slice(2)));
}
