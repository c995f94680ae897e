// Owns the shape of a schema library's schema: a Standard Schema with a JSON Schema side. Borrowed by shape (both interfaces are
// stable at version 1), so no schema library is imported.

export type JsonSchema = { readonly [member: string]: unknown };

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
export type SchemaResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

export interface JsonSchemaOptions {
  /** `draft-2020-12` is what Entail asks for. */
  readonly target: string;
  readonly libraryOptions?: Readonly<Record<string, unknown>> | undefined;
}

export interface Schema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Looked at by shape only: a constraint on the full `Schema` costs the compiler seconds for a large design. */
export interface AnySchema {
  readonly "~standard": { readonly version: 1; readonly vendor: string; readonly validate: any; readonly jsonSchema: any };
}
