import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createFileGraph, type FileGraph } from "./file-graph.ts";

const FILES = ["/p/a.eval.ts", "/p/b.eval.ts", "/p/one.ts", "/p/two.ts", "/p/three.ts"];
const EVALS = FILES.slice(0, 2);

function graphOf(imports: readonly (readonly [string, string])[]): FileGraph {
  const graph = createFileGraph();
  graph.add({ kind: "evals", files: EVALS });
  for (const file of EVALS) graph.add({ kind: "import", from: undefined, to: file });
  for (const [from, to] of imports) graph.add({ kind: "import", from, to });
  return graph;
}

test("kind watch: a change touches exactly the eval files from which imports lead to it, cycles and all", () => {
  const edges = fc.array(fc.tuple(fc.constantFrom(...FILES), fc.constantFrom(...FILES)), { maxLength: 12 });
  fc.assert(
    fc.property(edges, fc.constantFrom(...FILES), (imports, changed) => {
      // By the definition: as far as it goes, step by step.
      const leads = (from: string): boolean => {
        let reached = new Set([from]);
        for (let step = 0; step < FILES.length; step++) reached = new Set([...reached, ...imports.filter(([each]) => reached.has(each)).map(([, to]) => to)]);
        return reached.has(changed);
      };
      const graph = graphOf(imports);
      expect(graph.touched(changed)).toEqual(EVALS.filter(leads));
      expect(graph.touched(changed).length === 0 || graph.watched().has(changed)).toBe(true);
    }),
  );
});

test("the configuration and a file that is only read touch all, what a run writes touches nothing", () => {
  const graph = graphOf([["/p/a.eval.ts", "/p/one.ts"]]);
  graph.add({ kind: "import", from: undefined, to: "/p/entail.config.ts" });
  graph.add({ kind: "read", file: "/p/prompt.md" });
  graph.add({ kind: "read", file: "/p/report.json" });
  graph.add({ kind: "wrote", file: "/p/report.json" });
  expect(["/p/entail.config.ts", "/p/prompt.md", "/p/report.json", "/p/one.ts", "/p/unknown.md"].map((file) => graph.touched(file))).toEqual([EVALS, EVALS, [], ["/p/a.eval.ts"], []]);
  expect(graph.watched().has("/p/report.json")).toBe(false);
});

test("an import that is gone touches nothing once its file has run again, and those of others stay", () => {
  const graph = graphOf([["/p/a.eval.ts", "/p/one.ts"], ["/p/b.eval.ts", "/p/two.ts"]]);
  graph.forget(["/p/a.eval.ts"]);
  graph.add({ kind: "import", from: "/p/a.eval.ts", to: "/p/three.ts" });
  expect(["/p/one.ts", "/p/two.ts", "/p/three.ts"].map((file) => graph.touched(file))).toEqual([[], ["/p/b.eval.ts"], ["/p/a.eval.ts"]]);
});
