// Owns what every generated file begins with, and the names that its own text uses.

export const HEADER = "// Written by `entail gen`. Edit the design, not this file.\n";

/** Names that printed types and generated signatures rely on; a type of an author's is called otherwise. */
export const RESERVED_TYPES: ReadonlySet<string> = new Set([
  "Codec",
  "HookContext",
  "Hooks",
  "Inputs",
  "Promise",
  "Record",
  "Result",
  "ScenarioId",
  "Suite",
  "Tag",
  "ToolName",
  "Tools",
  "TypedTool",
]);
