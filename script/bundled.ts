// Owns which packages of others go into `dist` with our own code: two small ones that every run needs, and that would be 14 more files to load.

export const BUNDLED: readonly string[] = ["@cfworker/json-schema", "commander"];
