// Owns the side of a watched run: what the watching process asks of it, and how it answers.

import { resolve } from "node:path";
import type { ScenarioReport } from "../../core/report.ts";
import type { FileNews } from "./file-graph.ts";
import { traceFiles } from "./trace-files.ts";
import { WATCH_VARIABLE, type WatchOrder } from "./watch-order.ts";

export interface Watched extends WatchOrder {
  /** The eval files that the command found: gives back those to run. */
  choose(files: readonly string[]): readonly string[];
  ended(runs: readonly { readonly file: string; readonly scenarios: () => Iterable<ScenarioReport> }[]): void;
}

/** Begins to tell which files matter. Ends the process by a signal of its own where nobody watches any more. */
export function beWatched(env: NodeJS.ProcessEnv, cwd: string): Watched {
  const order = JSON.parse(env[WATCH_VARIABLE] ?? "{}") as WatchOrder;
  Reflect.deleteProperty(env, WATCH_VARIABLE);
  const send = process.send?.bind(process);
  const tell = (news: FileNews): void => {
    if (process.connected) send?.(news, () => {});
  };
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
  traceFiles(cwd, tell);
  return {
    ...order,
    choose(files) {
      tell({ kind: "evals", files });
      const chosen = files.filter((file) => order.files?.includes(file) ?? true);
      return chosen.length > 0 ? chosen : files;
    },
    ended(runs) {
      for (const { file, scenarios } of runs) {
        const ids: string[] = [];
        for (const { id, outcome, skip } of scenarios()) if (outcome !== "passed" && outcome !== "scored" && skip === undefined) ids.push(id);
        tell({ kind: "failed", file: resolve(cwd, file), ids });
      }
    },
  };
}
