// Proves with the real command that a watched run always uses what is on the disk, runs what a change touches, and never starts itself.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProject, evalFile, PASSING, type Project, type Ran } from "./project.ts";

interface Watching {
  readonly args?: readonly string[];
  /** What is done each time the command waits for changes; `undefined` lets it wait. */
  readonly steps: readonly (() => void)[];
  /** How long nothing more may happen after the last step. */
  readonly quietMs?: number;
  readonly signal?: NodeJS.Signals;
}

/** Runs `entail run --watch`, does one step whenever it waits, and ends it once it has been quiet. */
async function watching(project: Project, { args = [], steps, quietMs = 400, signal = "SIGINT" }: Watching): Promise<Ran & { readonly runs: number }> {
  let done = 0;
  let timer: NodeJS.Timeout | undefined;
  const ran = await project.entail(["run", "--watch", "--reporter", "plain", ...args], {
    onStderr(text, kill) {
      const waits = text.split(/^ {2}watching /m).length - 1;
      clearTimeout(timer);
      // A moment later: what one run leaves must not meet the change that comes next.
      if (waits > done && done < steps.length) {
        const step = steps[done];
        done += 1;
        setTimeout(() => step?.(), 30);
      }
      timer = setTimeout(() => kill(signal), done < steps.length ? 15_000 : quietMs + 600);
    },
  });
  return { ...ran, runs: ran.stderr.split(/^ {4}\d+ of \d+ measured/m).length - 1 };
}

const told = ({ stderr }: Ran): readonly string[] => [...stderr.matchAll(/SAYS (.*)/g)].map(([, text = ""]) => text);

test("case 229: a run uses the helper as it is now, and the file that the helper reads at its import", async () => {
  const project = createProject({
    "a.eval.ts": evalFile("a", `scenario("first", () => { console.error("SAYS " + answer()); return pass(); })`, "", `import { answer } from "./agent.ts";`),
    "agent.ts": `import { readFileSync } from "node:fs";\nconst prompt = readFileSync(new URL("./prompt.md", import.meta.url), "utf8");\nexport const answer = () => "v1 " + prompt;`,
    "prompt.md": "old",
  });
  const ran = await watching(project, {
    steps: [() => project.write({ "agent.ts": project.read("agent.ts").replace("v1", "v2") }), () => project.write({ "prompt.md": "new" }), () => {}],
  });
  expect([ran.runs, told(ran)]).toEqual([3, ["v1 old", "v2 old", "v2 new"]]);
  expect(ran.stderr).toContain("  changed: agent.ts\n");
  expect([ran.code, ran.stderr.match(/handles left open.*/)?.[0]]).toEqual([130, undefined]);
});

test("case 230: what a run writes starts no other, five saves start one, and a change during a run starts exactly one more", async () => {
  const hook = `async () => { const at = process.cwd() + "/"; for (const file of ["results.db-wal", "state.json"]) { fs.mkdirSync(at + ".agent-eval", { recursive: true }); fs.writeFileSync(at + ".agent-eval/" + file, String(Math.random())); fs.readFileSync(at + ".agent-eval/" + file); } console.error("SAYS ran"); await sleep(Number(wait)); return pass(); }`;
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", ${hook})`, "", `import * as fs from "node:fs";\nimport { wait } from "./wait.ts";`), "wait.ts": `export const wait = 0;` });
  const quiet = await watching(project, { args: ["--output", "out/report.json", "--junit", "out/junit.xml"], steps: [() => {}], quietMs: 2_400 });
  expect([quiet.runs, told(quiet)]).toEqual([1, ["ran"]]);
  expect(readFileSync(join(project.path, "out/junit.xml"), "utf8")).toContain('<testsuite name="a" tests="1"');
  const saved = await watching(project, { steps: [() => { for (let at = 0; at < 5; at++) setTimeout(() => appendFileSync(join(project.path, "wait.ts"), "\n"), at * 18); }, () => {}] });
  expect([saved.runs, saved.stderr.split("  changed: ").length - 1]).toEqual([2, 1]);

  project.write({ "wait.ts": "export const wait = 600;" });
  let changed = false;
  const during = await project.entail(["run", "--watch", "--reporter", "plain"], {
    onStderr(text, kill) {
      if (!changed && text.includes("SAYS ran")) {
        changed = true;
        writeFileSync(join(project.path, "wait.ts"), "export const wait = 1;");
      }
      if (text.includes("\n  watching ")) setTimeout(() => kill("SIGTERM"), 700);
    },
  });
  expect([told(during), during.code]).toEqual([["ran", "ran"], 143]);
  expect(during.stderr).toContain("terminated  1 cancelled.");
}, 60_000);

test("kind watch: a change runs the eval files that import what changed, and a new or a mended one runs by itself", async () => {
  const says = (id: string, head: string): string => evalFile(id, `scenario("first", () => { console.error("SAYS ${id}"); return pass(); })`, "", head);
  const project = createProject({
    "a.eval.ts": says("a", `import "./deep/one.ts";`), "b.eval.ts": says("b", `import "./two.ts";`), "broken.eval.ts": `import "./missing.ts";\n${PASSING("broken")}`,
    "deep/one.ts": `import "./shared.ts";`, "deep/shared.ts": "", "two.ts": "", "notes.md": "", "entail.config.ts": "export default {};",
  });
  const ran = await watching(project, {
    steps: [
      () => project.write({ "deep/shared.ts": "export const one = 1;", "notes.md": "no run reads it" }),
      () => project.write({ "two.ts": "export const two = 2;" }),
      () => project.write({ "missing.ts": "" }),
      () => project.write({ "c.eval.ts": says("c", "") }),
      () => project.write({ "entail.config.ts": "export default { maxConcurrency: 2 };" }),
      () => {},
    ],
  });
  expect(told(ran)).toEqual(["a", "b", "a", "b", "c", "a", "b", "c"]);
  expect(ran.stderr.match(/^ {2}changed: .*/gm)).toEqual(["deep/shared.ts", "two.ts", "missing.ts", "c.eval.ts", "entail.config.ts"].map((file) => `  changed: ${file}`));
}, 60_000);

test("kind watch: a file that another program writes in every run is named after some, and then starts one only by a change from outside", async () => {
  const hook = `() => { execFileSync(process.execPath, ["-e", "require('fs').writeFileSync('made.txt', String(Math.random()))"]); readFileSync("made.txt"); return pass(); }`;
  const project = createProject({ "a.eval.ts": evalFile("a", `scenario("first", ${hook})`, "", `import { execFileSync } from "node:child_process";\nimport { readFileSync } from "node:fs";`), "made.txt": "" });
  let edited: NodeJS.Timeout | undefined;
  const NOTE = "made.txt changes in every run, so it starts another only while nothing runs\n";
  const ran = await project.entail(["run", "--watch", "--reporter", "plain"], {
    onStderr(text, kill) {
      const [, after] = text.split(NOTE);
      if (after === undefined) return;
      edited ??= setTimeout(() => project.write({ "made.txt": "by hand" }), 1_000);
      // The edit's own run, and a moment in which another could begin.
      if (/ {2}changed: made\.txt\n[^]*\n {2}watching /.test(after)) setTimeout(() => kill("SIGINT"), 600);
    },
  });
  const [before = "", after = ""] = ran.stderr.split(NOTE);
  const changes = (text: string): number => text.split("  changed: made.txt").length - 1;
  expect(changes(before)).toBeLessThanOrEqual(5);
  expect(changes(after)).toBe(1);
}, 60_000);
