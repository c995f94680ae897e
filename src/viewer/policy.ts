// Owns what a browser is allowed to do with the page: run its own script, ask its own server, and nothing else.

const SERVED = ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"];

/** Headers of every answer of the server. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": SERVED.join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
};

/** The policy of an exported file, for its `<meta>`: one script and one stylesheet, each by its digest (`sha256-…`), and no request at all. */
export function filePolicy(scriptDigest: string, styleDigest: string): string {
  return ["default-src 'none'", `script-src '${scriptDigest}'`, `style-src '${styleDigest}'`, "img-src data:", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"].join("; ");
}
