// Owns parts of the page that are loaded when they are first shown.

import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "./part/small.tsx";

/** A component that stands in for one whose code is not here yet. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const held: { component?: ComponentType<Props>; loading?: Promise<ComponentType<Props>> } = {};
  return function Later(props: Props): JSX.Element {
    const [, redraw] = useState(0);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (held.component !== undefined) return;
      held.loading ??= load();
      held.loading.then(
        (component) => {
          held.component = component;
          redraw(1);
        },
        () => {
          delete held.loading;
          setFailed(true);
        },
      );
    }, []);
    if (failed) return <p class="pad quiet">A part of this page could not be loaded. Load the page again.</p>;
    return held.component === undefined ? <Loading /> : <held.component {...props} />;
  };
}
