// Owns which of Node's own warnings are not shown: those about how Entail and its files are loaded, which no user can act on.

const HIDDEN_CODES = new Set(["MODULE_TYPELESS_PACKAGE_JSON"]);
const HIDDEN_TEXTS = [/^SQLite is an experimental feature/, /^Type Stripping is an experimental feature/, /^Failed to load the ES module: /, /^CommonJS module .* is loading ES Module/];

type Emit = typeof process.emitWarning;

/** Hides them from now on. */
export function hideNodeWarnings(): void {
  const emit: Emit = process.emitWarning.bind(process);
  process.emitWarning = ((warning: string | Error, ...rest: readonly unknown[]): void => {
    const [options, code] = rest;
    const given = typeof options === "object" && options !== null ? (options as { readonly code?: unknown }).code : code;
    const text = typeof warning === "string" ? warning : warning.message;
    if (HIDDEN_CODES.has(String(given)) || HIDDEN_TEXTS.some((hidden) => hidden.test(text))) return;
    Reflect.apply(emit, process, [warning, ...rest]);
  });
}
