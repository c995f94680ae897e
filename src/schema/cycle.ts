// Owns references that go round without ever asking anything of a part of the value: no value could be decided by them.

import type { Definitions } from "./definition.ts";
import { nameIn } from "./definition.ts";
import { has, IN_PLACE, type Subschema, within } from "./keyword.ts";
import type { Notes } from "./reading-notes.ts";

/** Notes each definition that leads back to itself for one and the same value. */
export function findCycles({ root, defs }: Definitions, notes: Notes): void {
  const done = new Set<string>();
  const visit = (schema: Subschema, path: readonly string[]): void => {
    const name = nameIn(schema);
    if (name !== undefined) {
      if (path.includes(name)) {
        if (!done.has(name)) notes.fault("schema_invalid", [], `a reference leads back to itself without content (${[...path.slice(path.indexOf(name)), name].join(" -> ")}); let it describe a member or an item in between`);
        done.add(name);
      } else if (!done.has(name)) {
        visit(defs.get(name) ?? true, [...path, name]);
        done.add(name);
      }
    }
    if (typeof schema === "boolean") return;
    for (const [steps, inner] of within(schema)) if (has(IN_PLACE, String(steps[0]))) visit(inner, path);
  };
  const visitAll = (schema: Subschema, path: readonly string[]): void => {
    visit(schema, path);
    if (typeof schema === "boolean") return;
    for (const [, inner] of within(schema)) visitAll(inner, []);
  };
  visitAll(root, []);
  for (const [name, body] of defs) {
    if (!done.has(name)) visitAll(body, [name]);
    else visitAll(body, []);
  }
}
