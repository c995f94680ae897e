// Owns the dialog: the focus goes in, stays in, and comes back to where it was.

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export function Dialog({ label, close, children, class: own = "" }: { readonly label: string; readonly close: () => void; readonly children: ComponentChildren; readonly class?: string }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} class={own} aria-label={label} onClose={close} onClick={(event) => { if (event.target === dialog.current) dialog.current?.close(); }}>
      {children}
    </dialog>
  );
}
