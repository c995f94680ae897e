// Owns the small parts that every page has: keys on controls, commands to copy, notices, empty states, and the fold's arrow.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { copy } from "../say.ts";
import { Icon } from "./mark.tsx";
import { moment, ago } from "./number.ts";
import type { Drawing } from "./sprite.tsx";

export function Kbd({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <kbd class="kbd">{children}</kbd>;
}

/** A command of the terminal, ready to copy. */
export function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <span class="cmd">
      <span class="cut">{text}</span>
      <button class="icon-btn" type="button" aria-label={`Copy the command ${text}`} onClick={() => void copy(text)}><Icon name="copy" class="ic-s" /></button>
    </span>
  );
}

export function CopyAddress(): JSX.Element {
  return <button class="btn" type="button" title="Copy this page's address (y)" onClick={() => void copy(location.href)}><Icon name="link" />Copy address</button>;
}

export function Note({ kind = "", icon, children, end }: { readonly kind?: "bad" | "odd" | "warn" | ""; readonly icon: Drawing; readonly children: ComponentChildren; readonly end?: ComponentChildren }): JSX.Element {
  return <div class={`note ${kind === "" ? "" : `note-${kind}`}`} role="status"><Icon name={icon} /><div>{children}</div>{end === undefined ? null : <span class="end quiet">{end}</span>}</div>;
}

export function Empty({ icon, title, children, level = 2 }: { readonly icon: Drawing; readonly title: ComponentChildren; readonly children?: ComponentChildren; readonly level?: 1 | 2 | 3 }): JSX.Element {
  const Heading: "h1" | "h2" | "h3" = `h${level}`;
  return <div class="empty"><Icon name={icon} /><Heading>{title}</Heading>{children}</div>;
}

/** Only after 300 ms, in the very boxes that the rows will fill. */
export function Loading({ rows = 6 }: { readonly rows?: number }): JSX.Element {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return <div class={`skel ${late ? "late" : ""}`} role="status" aria-label="Loading">{Array.from({ length: rows }, (_, at) => <span key={at} />)}</div>;
}

export function Time({ at, now }: { readonly at: string; readonly now: number }): JSX.Element {
  return <time dateTime={at} title={moment(at)}>{ago(at, now)}</time>;
}

/** Milliseconds since the epoch, again every `everyMs`. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function Crumb({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <>{children}<Icon name="chev" class="ic-s" /></>;
}
