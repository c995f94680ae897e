// Owns who may ask the viewer anything: only its own page, by its own name, and from elsewhere only with the token.

/** What a request is measured against. */
export interface GuardOptions {
  /** The names under which the page is served, with the port: `127.0.0.1:4173`. A page elsewhere cannot make a browser send them. */
  readonly hosts: readonly string[];
  /** Needed by every request where the viewer listens on more than this machine. */
  readonly token?: string | undefined;
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 421;
  readonly message: string;
}

const COOKIE = "entail_token";

/** Why a request is refused; `undefined` where it may pass. */
export function refusalOf(request: Request, { hosts, token }: GuardOptions): Refusal | undefined {
  const host = request.headers.get("host") ?? "";
  if (!hosts.includes(host)) return { status: 421, message: "this viewer does not answer to that name" };
  const origin = request.headers.get("origin");
  if (origin !== null && !hosts.some((name) => origin === `http://${name}` || origin === `https://${name}`)) return { status: 403, message: "a page of another origin may not ask this viewer" };
  const site = request.headers.get("sec-fetch-site");
  // A link from elsewhere may open the page itself; nothing else may be fetched across sites.
  if (site !== null && !["same-origin", "none"].includes(site) && new URL(request.url).pathname !== "/") return { status: 403, message: "a page of another site may not ask this viewer" };
  if (!["GET", "HEAD"].includes(request.method) && origin === null) return { status: 403, message: "a change needs the page's own origin" };
  if (token !== undefined && !sameText(tokenOf(request), token)) return { status: 401, message: "open the address with its token, as `entail view` printed it" };
  return undefined;
}

function tokenOf(request: Request): string {
  const asked = new URL(request.url).searchParams.get("token");
  if (asked !== null) return asked;
  const cookie = (request.headers.get("cookie") ?? "").split(/;\s*/).find((each) => each.startsWith(`${COOKIE}=`));
  return cookie?.slice(COOKIE.length + 1) ?? "";
}

/** Takes as long for a wrong guess whatever of it is right. */
function sameText(given: string, token: string): boolean {
  let differs = given.length ^ token.length;
  for (let at = 0; at < token.length; at += 1) differs |= (given.charCodeAt(at) || 0) ^ token.charCodeAt(at);
  return differs === 0;
}

/** Keeps the token out of the address after the first request. */
export const tokenCookie = (token: string): string => `${COOKIE}=${token}; Path=/; HttpOnly; SameSite=Strict`;
