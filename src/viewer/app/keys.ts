// Owns the keys: single letters outside fields and never with a modifier, the page's own before the frame's.

import { useEffect, useRef } from "preact/hooks";

export type Keys = Readonly<Record<string, ((event: KeyboardEvent) => void) | undefined>>;

const layers: { current: Keys }[] = [];
/** A second key within so many milliseconds belongs to `g`. */
const CHORD_MS = 900;
const state = { chord: 0 };

export const KEYS_OFF = "entail-keys-off";

const isTyping = ({ target }: Event): boolean => target instanceof HTMLElement && (/^(SELECT|TEXTAREA)$/.test(target.tagName) || (target instanceof HTMLInputElement && target.type !== "checkbox"));

/** The handlers of a component while it is shown; the latest to be shown comes first. */
export function useKeys(keys: Keys): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    layers.unshift(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}

function lettersOff(): boolean {
  try {
    return localStorage.getItem(KEYS_OFF) === "1";
  } catch {
    return false;
  }
}

export function listenForKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented) return;
    const name = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k" ? "mod+k" : event.key;
    if (name !== "mod+k" && (event.metaKey || event.ctrlKey || event.altKey)) return;
    if (isTyping(event)) {
      if (event.key === "Escape" && event.target instanceof HTMLElement) event.target.blur();
      if (name !== "mod+k") return;
    }
    if (document.querySelector("dialog[open]") !== null) return;
    // A button or a link that has the focus is pressed by these itself.
    if ((name === "Enter" || name === " ") && event.target instanceof HTMLElement && event.target.closest("button,summary,select,input") !== null) return;
    if (name.length === 1 && name !== "/" && name !== "?" && lettersOff()) return;
    const chord = state.chord > 0 && event.timeStamp - state.chord < CHORD_MS ? `g ${name}` : name;
    state.chord = name === "g" ? event.timeStamp : 0;
    const handler = find(chord) ?? (chord === name ? undefined : find(name));
    if (handler === undefined) return;
    event.preventDefault();
    handler(event);
  });
}

function find(name: string): ((event: KeyboardEvent) => void) | undefined {
  for (const { current } of layers) {
    const handler = current[name];
    if (handler !== undefined) return handler;
  }
  return undefined;
}
