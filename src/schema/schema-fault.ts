// Owns the fault that a value has by a schema.

export interface SchemaFault {
  /** `user_id`, `items[2].name`; empty for the value itself. */
  readonly path: string;
  /** What goes after the path: `must be a string`, `is missing`, `is not declared`. */
  readonly message: string;
}
