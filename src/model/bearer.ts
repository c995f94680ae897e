// Owns the check of a bearer token, which takes as long for a wrong one as for the right one.

import { EntailError } from "../core/error.ts";

/** Who may ask: one of these tokens, or whomever a function lets in. */
export type Authorize = string | readonly string[] | ((request: Request) => boolean | Promise<boolean>);

const LEAST = 8;

/** Throws `option_invalid` for tokens that anybody could guess. */
export function authorizer(authorize: Authorize): (request: Request) => Promise<boolean> {
  if (typeof authorize === "function") return async (request) => {
    const may: unknown = await authorize(request);
    return may === true;
  };
  const tokens = typeof authorize === "string" ? [authorize] : authorize;
  if (!Array.isArray(tokens) || tokens.length === 0 || tokens.some((token) => typeof token !== "string" || token.length < LEAST)) {
    throw new EntailError("option_invalid", `createGateway needs authorize: a token of at least ${LEAST} characters, several of them, or a function of the request`);
  }
  const known = Promise.all(tokens.map(digest));
  return async (request) => {
    const [, given = ""] = /^Bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    const asked = await digest(given);
    let found = false;
    // Every token is compared, whole, whatever came before.
    for (const token of await known) found = equal(token, asked) || found;
    return found;
  };
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at++) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}
