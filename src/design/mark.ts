// Owns the mark on what the design functions return, so that a value is known for what it is across two copies of the package.

/** Its value says which function made the marked one. */
export const MARK: unique symbol = Symbol.for("entail.design") as never;

const KINDS = ["agent", "design", "suite", "tool", "toolset"] as const;
export type DesignKind = (typeof KINDS)[number];

export interface Marked<Kind extends DesignKind> {
  readonly [MARK]: Kind;
}

/** Which of the design functions made `value`; `undefined` for any other value. Never throws. */
export function kindOf(value: unknown): DesignKind | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const mark = (value as { readonly [MARK]?: unknown })[MARK];
    return KINDS.find((kind) => kind === mark);
  } catch {
    return undefined;
  }
}

/** What was declared, or nothing where an untyped caller declared nothing readable: whoever checks the design says so. */
export function members<Shape extends object>(shape: Shape): Partial<Shape> {
  return typeof (shape as unknown) === "object" && (shape as unknown) !== null ? shape : {};
}
