// Owns the box that finds anything by a few letters: pages, suites, runs, and the scenarios of the run that is open.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { RunsAnswer, ScenariosAnswer, SuiteRow } from "../../answer/form.ts";
import { askOnce } from "../answers.ts";
import { Alien } from "../part/alien.tsx";
import { Icon, type Shown } from "../part/mark.tsx";
import type { Drawing } from "../part/sprite.tsx";
import { addressOf, go, type Route } from "../route.ts";
import { Dialog } from "./dialog.tsx";
import { stepOf } from "../../answer/step.ts";

interface Hit {
  readonly address: string;
  readonly icon: Drawing;
  readonly mark: string;
  readonly name: string;
  readonly what: string;
}

const stateIcon = (state: Shown): Drawing => (state === "incomplete" ? "o-cancelled" : `o-${state}`);

export function Palette({ close, route, suites }: { readonly close: () => void; readonly route: Route; readonly suites: readonly SuiteRow[] }): JSX.Element {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const [found, setFound] = useState<readonly Hit[]>([]);
  const run = route.page === "run" || route.page === "scenario" ? route.first : undefined;
  useEffect(() => {
    const wanted = text.trim();
    const timer = setTimeout(() => {
      void find(wanted, run).then(setFound, () => setFound([]));
    }, 120);
    return () => clearTimeout(timer);
  }, [text, run]);
  const hits = [...found, ...pages(suites).filter(({ name }) => text.trim().toLowerCase().split(/\s+/).every((word) => name.toLowerCase().includes(word)))].slice(0, 12);
  const open = (hit: Hit | undefined): void => {
    if (hit === undefined) return;
    close();
    go(hit.address);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((before) => (before + step + hits.length) % Math.max(1, hits.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(hits[at]);
    }
  };
  return (
    <Dialog label="Search or jump to" class="pal" close={close}>
      <div class="field"><Icon name="search" /><input type="text" role="combobox" aria-expanded="true" aria-controls="pal-hits" aria-activedescendant={hits[at] === undefined ? undefined : `hit-${at}`} placeholder="Run, scenario, suite or page" aria-label="Search or jump to" value={text} onInput={(event) => { setText(event.currentTarget.value); setAt(0); }} onKeyDown={onKey} autofocus /></div>
      <ul id="pal-hits" role="listbox" aria-label="Found">
        {hits.map((hit, index) => (
          <li key={hit.address + hit.name} id={`hit-${index}`} role="option" aria-selected={index === at} class={index === at ? "at" : ""} onClick={() => open(hit)}>
            <span class="pal-a"><span class={`oc ${hit.mark}`}><Icon name={hit.icon} /></span><Alien text={hit.name} /><span class="quiet">{hit.what}</span></span>
          </li>
        ))}
        {hits.length === 0 ? <li class="pad quiet" role="option" aria-selected={false}>Nothing is called that.</li> : null}
      </ul>
    </Dialog>
  );
}

async function find(text: string, run: string | undefined): Promise<readonly Hit[]> {
  const query = new URLSearchParams({ q: text });
  const hits: Hit[] = [];
  if (run !== undefined && text !== "") {
    const { rows } = await askOnce<ScenariosAnswer>(`runs/${stepOf(run)}/scenarios?${query}&n=6`);
    for (const row of rows) hits.push({ address: addressOf(["run", run, row.i]), icon: row.o === undefined ? "o-running" : `o-${row.o}`, mark: `oc-${row.o ?? "running"}`, name: row.i, what: "scenario of this run" });
  }
  const { runs } = await askOnce<RunsAnswer>(`runs?${query}&limit=6`);
  for (const row of runs) hits.push({ address: addressOf(["run", row.id]), icon: stateIcon(row.state), mark: `oc-${row.state}`, name: `${row.suite} #${row.n}`, what: row.branch ?? "run" });
  return hits;
}

function pages(suites: readonly SuiteRow[]): readonly Hit[] {
  return [
    { address: "#/", icon: "folder", mark: "quiet", name: "All runs", what: "g r" },
    { address: "#/compare", icon: "swap", mark: "quiet", name: "Compare the last run with its baseline", what: "g c" },
    { address: "#/judge?view=label", icon: "l-indeterminate", mark: "quiet", name: "Label the next judgment", what: "g j" },
    ...suites.map(({ suite }): Hit => ({ address: addressOf(["trends", suite]), icon: "clock", mark: "quiet", name: `Trends of ${suite}`, what: "suite" })),
  ];
}
