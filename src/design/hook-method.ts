// Owns the way from a scenario's name to the method of its hook.

/** `alarm_inventory` becomes `alarmInventory`: what `hookMethod` does, for the compiler. */
export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;

/** The method of the hook of scenario `id`: its name in camelCase. Two ids can give one method (`foo_1`, `foo1`), which is a design error. */
export function hookMethod(id: string): string {
  return id
    .split("_")
    .map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join("");
}

/**
 * Why no hook may have this method; `undefined` where it may. `then` makes an object of hooks look like a promise, and every object has the
 * others without anybody having written them.
 */
export function reservedMethod(method: string): string | undefined {
  if (method === "then") return "would make its hooks look like a promise";
  return method in Object.prototype ? "is a member of every object" : undefined;
}
