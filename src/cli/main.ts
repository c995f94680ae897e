#!/usr/bin/env node
// Owns the start of the command. It says in one sentence that Node is too old, so it must load on Node 18: plain syntax, and nothing of ours imported before the version is known.

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 18)) {
  const message = `entail needs Node 22.18 or newer and this is Node ${process.versions.node}: install a newer one and run the same command again`;
  if (process.argv.includes("--json")) process.stdout.write(`${JSON.stringify({ error: { code: "node_too_old", message } })}\n`);
  process.stderr.write(`error  ${message}\n`);
  process.exitCode = 2;
} else {
  process.getBuiltinModule("node:module").enableCompileCache();
  void start(process.argv.slice(2));
}

async function start(argv: readonly string[]): Promise<void> {
  // The thread takes a while to begin: it does so while everything else is loaded.
  const watchdog = argv[0] === "run" ? (await import("./process/watchdog.ts")).startWatchdog() : undefined;
  const { runEntail } = await import("./entail.ts");
  await runEntail(argv, watchdog);
}
