// Owns which packages of others go into `dist` with our own code: two small ones that every run needs, and that would be 14 more files to load.

export const BUNDLED: readonly string[] = ["@cfworker/json-schema", "@hono/node-server", "@pydantic/genai-prices", "commander", "diff", "hono", "mdast-util-from-markdown", "mdast-util-gfm", "micromark-extension-gfm", "preact", "yaml"];
