// Owns the list of all keys, and the switch that turns the single letters off.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { KEYS_OFF } from "../keys.ts";
import { Icon } from "../part/mark.tsx";
import { Kbd } from "../part/small.tsx";
import { Dialog } from "./dialog.tsx";

const GROUPS: readonly (readonly [title: string, begins: boolean, keys: readonly (readonly [string, string])[]])[] = [
  ["Anywhere", false, [["⌘ K", "search or jump"], ["/", "filter this page"], ["g r", "runs"], ["g c", "compare"], ["g t", "trends"], ["g j", "judge"], ["D", "light or dark"], ["?", "these keys"], ["Esc", "close"]]],
  ["In a list", true, [["j k", "down, up"], ["↵", "open"], ["␣", "peek"], ["x", "mark"], ["c", "compare marked"], ["f", "only problems"]]],
  ["Labelling", false, [["1", "entailed"], ["2", "contradicted"], ["3", "not addressed"], ["4", "indeterminate"], ["→ ←", "next, back"], ["u", "undo"], ["m", "note"]]],
  ["In a scenario", true, [["j k", "next, previous scenario"], ["n p", "next, previous problem"], ["[ ]", "previous, next turn"], ["1 – 9", "trial"], ["s", "trials side by side"], ["r", "raw JSON"], ["e", "open all"], ["y", "copy the address"]]],
];

function off(): boolean {
  try {
    return localStorage.getItem(KEYS_OFF) === "1";
  } catch {
    return false;
  }
}

export function KeysDialog({ close }: { readonly close: () => void }): JSX.Element {
  const [letters, setLetters] = useState(!off());
  const change = (on: boolean): void => {
    setLetters(on);
    try {
      localStorage.setItem(KEYS_OFF, on ? "0" : "1");
    } catch {
      // It then holds until the page is left.
    }
  };
  return (
    <Dialog label="Keys" close={close}>
      <div class="dlg-h">
        <h2>Keys</h2>
        <form method="dialog"><button class="icon-btn" aria-label="Close"><Icon name="close" /></button></form>
      </div>
      <div class="keys">
        {GROUPS.map(([title, begins, keys]) => (
          <section key={title} class={begins ? "brk" : ""}>
            <h3>{title}</h3>
            <dl>{keys.map(([key, what]) => <Keys key={key} name={key} what={what} />)}</dl>
          </section>
        ))}
      </div>
      <label class="keys-off"><input class="tick" type="checkbox" checked={letters} onChange={(event) => change(event.currentTarget.checked)} />Single letters are keys</label>
    </Dialog>
  );
}

function Keys({ name, what }: { readonly name: string; readonly what: string }): JSX.Element {
  return (
    <>
      <dt>{name.split(" ").map((each) => (each === "–" ? "–" : <Kbd key={each}>{each}</Kbd>))}</dt>
      <dd>{what}</dd>
    </>
  );
}
