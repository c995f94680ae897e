// Owns the end of a server's process: its input is closed, then it is asked to end, then it is ended.

/** How long a process may take to end by itself, and then once it was asked to. */
const PATIENCE_MS = 1000;
const ASKED_MS = 400;
const LOOK_MS = 15;

function isAlive(pid: number): boolean {
  try {
    // Sends nothing: it only asks.
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** True once the process is gone, false where it is still there after `ms`. */
async function isGone(pid: number, ms: number): Promise<boolean> {
  for (const until = Date.now() + ms; Date.now() < until; ) {
    if (!isAlive(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return !isAlive(pid);
}

function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

/** For a process whose input was closed. Settles when it has ended, after 2 seconds at the latest. Never rejects. */
export async function endProcess(pid: number): Promise<void> {
  if (await isGone(pid, PATIENCE_MS)) return;
  signal(pid, "SIGTERM");
  if (await isGone(pid, ASKED_MS)) return;
  signal(pid, "SIGKILL");
  await isGone(pid, ASKED_MS);
}
