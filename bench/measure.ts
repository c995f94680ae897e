// Owns measuring a command as a whole process: wall time, and the resident memory of its whole tree sampled every 15 ms (Linux).
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface Measured {
  readonly seconds: number;
  /** The largest sum over the tree of processes; 0 where `/proc` is missing. */
  readonly megabytes: number;
}

function residentOfTree(root: number): number {
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  try {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        parents.set(Number(name), Number(fields[1]));
        resident.set(Number(name), Number(fields[21]) * 4096);
      } catch {
        // The process ended between the two reads.
      }
    }
  } catch {
    return 0;
  }
  const isBelow = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
    return false;
  };
  return [...resident].filter(([pid]) => isBelow(pid)).reduce((sum, [, bytes]) => sum + bytes, 0);
}

/** Runs a command once; samples its memory only where asked, since sampling takes processor time from what is timed. Throws with the end of its error output where its exit code is not 0. */
function runOnce(command: readonly string[], cwd: string, env: Readonly<Record<string, string>>, sampled: boolean): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command[0] ?? "", command.slice(1), { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
    let peak = 0;
    let tail = "";
    child.stderr.on("data", (chunk: Buffer) => void (tail = (tail + chunk.toString()).slice(-2000)));
    const sampler = sampled ? setInterval(() => void (peak = Math.max(peak, residentOfTree(child.pid ?? 0))), 15) : undefined;
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(sampler);
      if (code !== 0) return reject(new Error(`${command.join(" ")} ended with ${code}:\n${tail}`));
      resolve({ seconds: (performance.now() - started) / 1000, megabytes: peak / 1e6 });
    });
  });
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The median time of `runs` runs after one that is not counted, and the peak memory of one run more. */
export async function measure(command: readonly string[], cwd: string, runs = 3, env: Readonly<Record<string, string>> = {}): Promise<Measured> {
  await runOnce(command, cwd, env, false);
  const seconds: number[] = [];
  for (let run = 0; run < runs; run++) seconds.push((await runOnce(command, cwd, env, false)).seconds);
  return { seconds: median(seconds), megabytes: (await runOnce(command, cwd, env, true)).megabytes };
}
