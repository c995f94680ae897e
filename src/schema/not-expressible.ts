// Owns the code of a schema that a library cannot express as plain data.

import type { ErrorCode } from "../core/error.ts";
import type { SchemaSide } from "./reading-notes.ts";

export function notExpressible(side: SchemaSide): ErrorCode {
  return side === "input" ? "input_not_expressible" : "schema_invalid";
}
