// Owns what stands around every page: the bar, where you are, what runs, the keys, and the page that the address names.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SuitesAnswer } from "../../answer/form.ts";
import type { JudgeAnswer } from "../../answer/judge-form.ts";
import { setVersion, source, useAnswer } from "../answers.ts";
import { useKeys } from "../keys.ts";
import { later } from "../later.tsx";
import { RunPage } from "../page/run.tsx";
import { RunsPage } from "../page/runs.tsx";
import { Icon } from "../part/mark.tsx";
import { Empty, Kbd, Note } from "../part/small.tsx";
import { Sprite } from "../part/sprite.tsx";
import { addressOf, go, type Page, type Route, useRoute } from "../route.ts";
import { isDark, switchTheme } from "../theme.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { Palette } from "./palette.tsx";

const ScenarioPage = later(async () => (await import("../page/scenario.tsx")).ScenarioPage);
const ComparePage = later(async () => (await import("../page/compare.tsx")).ComparePage);
const TrendsPage = later(async () => (await import("../page/trends.tsx")).TrendsPage);
const JudgePage = later(async () => (await import("../page/judge.tsx")).JudgePage);

export function Frame({ served }: { readonly served: boolean }): JSX.Element {
  const route = useRoute();
  const [keys, setKeys] = useState(false);
  const [palette, setPalette] = useState(false);
  const lost = useFollow(served);
  const suites = useAnswer<SuitesAnswer>("suites").value;
  const [first] = suites?.suites ?? [];
  const trends = addressOf(["trends", ...(first === undefined ? [] : [first.suite])]);
  useKeys({
    "mod+k": () => setPalette(true),
    "?": () => setKeys(true),
    D: switchTheme,
    "g r": () => go("#/"),
    "g c": () => go("#/compare"),
    "g t": () => go(trends),
    "g j": () => go("#/judge"),
    y: () => void navigator.clipboard?.writeText(location.href).catch(() => undefined),
  });
  useScroll(route);
  return (
    <>
      <Sprite />
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>Skip to content</a>
      <Top route={route} served={served} trends={trends} running={suites?.running ?? 0} openKeys={() => setKeys(true)} openPalette={() => setPalette(true)} />
      {lost === undefined ? null : <LostStrip lost={lost} />}
      <main class={`page p-${route.page}`} id="main" tabIndex={-1}>
        <PageOf route={route} />
      </main>
      {keys ? <KeysDialog close={() => setKeys(false)} /> : null}
      {palette ? <Palette close={() => setPalette(false)} route={route} suites={suites?.suites ?? []} /> : null}
      <div id="say" class="vh" role="status" aria-live="polite" />
    </>
  );
}

function PageOf({ route }: { readonly route: Route }): JSX.Element {
  switch (route.page) {
    case "runs":
      return <RunsPage query={route.query} />;
    case "run":
      return <RunPage key={route.first} run={route.first} query={route.query} />;
    case "scenario":
      return <ScenarioPage run={route.first} scenario={route.second} query={route.query} />;
    case "compare":
      return <ComparePage pair={route.first} query={route.query} />;
    case "trends":
      return <TrendsPage suite={route.first} query={route.query} />;
    case "judge":
      return <JudgePage fingerprint={route.first} query={route.query} />;
    case "unknown":
      return <div class="sheet first"><Empty icon="search" title="There is no such page" level={1}><a class="btn" href="#/">All runs</a></Empty></div>;
    default:
      return route.page satisfies never;
  }
}

interface TopProps {
  readonly route: Route;
  readonly served: boolean;
  readonly trends: string;
  readonly running: number;
  readonly openKeys: () => void;
  readonly openPalette: () => void;
}

function Top({ route, served, trends, running, openKeys, openPalette }: TopProps): JSX.Element {
  const [, redraw] = useState(0);
  const [calm, setCalm] = useState(false);
  useEffect(() => {
    // How many judgments wait is worth no delay of what the page is opened for.
    const timer = setTimeout(() => setCalm(true), 1000);
    return () => clearTimeout(timer);
  }, []);
  const waiting = useAnswer<JudgeAnswer>(served && calm ? "judge" : undefined).value?.waiting ?? 0;
  const at = route.page === "run" || route.page === "scenario" ? "runs" : route.page;
  const link = (page: Page, address: string, name: string, pill = 0): JSX.Element => (
    <a href={address} aria-current={at === page ? "page" : undefined}>{name}{pill > 0 ? <span class="count"><span class="pill" title={`${pill} judgments wait for a label`}>{pill}</span></span> : null}</a>
  );
  return (
    <header class="top">
      <a class="brand" href="#/" aria-label="Entail, all runs"><svg viewBox="0 0 18 18" aria-hidden="true"><path d="M3.5 2v14M3.5 6.5H15M3.5 11.5H15" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" /></svg><span>entail</span></a>
      <nav class="nav" aria-label="Pages">
        {link("runs", "#/", "Runs")}
        {served ? <>{link("compare", "#/compare", "Compare")}{link("trends", trends, "Trends")}</> : null}
        {link("judge", "#/judge", "Judge", waiting)}
      </nav>
      <div class="top-r">
        {running > 0 ? <a class="live" href="#/"><Icon name="o-running" class="spin" /><span>{running} running</span></a> : null}
        <button class="jump" type="button" onClick={openPalette}><Icon name="search" /><span>Search or jump to</span><Kbd>{/Mac/.test(navigator.platform) ? "⌘ K" : "Ctrl K"}</Kbd></button>
        <button class="icon-btn" type="button" aria-label={isDark() ? "Switch to light" : "Switch to dark"} title="Light or dark (D)" onClick={() => { switchTheme(); redraw((n) => n + 1); }}><Icon name="sun" class="sun" /><Icon name="moon" class="moon" /></button>
        <button class="icon-btn" type="button" aria-label="Keyboard shortcuts" title="Keys (?)" onClick={openKeys}><Icon name="help" /></button>
      </div>
    </header>
  );
}

interface Lost {
  readonly since: number;
  readonly nextTryAt: number;
}

/** Follows the store; says since when it cannot. */
function useFollow(served: boolean): Lost | undefined {
  const [lost, setLost] = useState<Lost | undefined>(undefined);
  useEffect(() => {
    if (!served) return undefined;
    return source().follow({
      version: setVersion,
      found: () => setLost(undefined),
      lost: (wait) => setLost((before) => ({ since: before?.since ?? Date.now(), nextTryAt: Date.now() + wait })),
    });
  }, [served]);
  return lost;
}

function LostStrip({ lost }: { readonly lost: Lost }): JSX.Element {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((lost.nextTryAt - now) / 1000));
  return (
    <div class="lost">
      <Note kind="warn" icon="plug" end={left > 0 ? `next try in ${left} s` : "trying"}>
        <b class="strong">Not connected.</b> <span class="mid">What you see is from {new Date(lost.since).toLocaleTimeString("en-GB")}. The page connects again by itself when <code>entail view</code> runs.</span>
      </Note>
    </div>
  );
}

/** A page begins at its top; one that was left is found as it was. */
function useScroll({ page, first, second }: Route): void {
  const key = `${page}/${first}/${second}`;
  const places = useRef(new Map<string, number>());
  const last = useRef(key);
  const back = useRef(false);
  useEffect(() => {
    const popped = (): void => {
      back.current = true;
    };
    const scrolled = (): void => {
      places.current.set(last.current, scrollY);
    };
    history.scrollRestoration = "manual";
    addEventListener("popstate", popped);
    addEventListener("scroll", scrolled, { passive: true });
    return () => {
      removeEventListener("popstate", popped);
      removeEventListener("scroll", scrolled);
    };
  }, []);
  useLayoutEffect(() => {
    if (last.current === key) return;
    last.current = key;
    const wanted = back.current ? (places.current.get(key) ?? 0) : 0;
    back.current = false;
    scrollTo(0, wanted);
    // The rows that make the page as long as it was may come a moment later.
    if (wanted > 0) requestAnimationFrame(() => scrollTo(0, wanted));
  }, [key]);
}
