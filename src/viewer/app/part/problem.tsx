// Owns what a page shows where its answer could not be had: what happened, what it means, and what to do next.

import type { JSX } from "preact";
import type { AskError } from "../source.ts";
import { Command, Empty } from "./small.tsx";

export function ProblemState({ problem, parent, parentName }: { readonly problem: AskError; readonly parent: string; readonly parentName: string }): JSX.Element {
  if (problem.code === "store_newer") {
    return <div class="sheet first"><Empty icon="clock" title="A newer Entail wrote this store" level={1}><p>{problem.message}. Nothing was changed.</p><Command text="npm i -D entail@latest" /></Empty></div>;
  }
  if (problem.status === 404) {
    return <div class="sheet first"><Empty icon="search" title="This address leads to nothing" level={1}><p>{problem.message}.</p><a class="btn" href={parent}>{parentName}</a></Empty></div>;
  }
  if (problem.status === 0) {
    return <div class="sheet first"><Empty icon="plug" title="Not connected" level={1}><p>The server does not answer. The page connects again by itself when it runs.</p><Command text="npx entail view" /></Empty></div>;
  }
  return <div class="sheet first"><Empty icon="o-errored" title="This could not be read" level={1}><p>{problem.message}.</p><a class="btn" href={parent}>{parentName}</a></Empty></div>;
}
