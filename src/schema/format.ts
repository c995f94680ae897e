// Owns the formats of texts that can be decided, and what to say of a text that is not of one.

import { format as engineFormats } from "@cfworker/json-schema";

const NAMES: ReadonlyMap<string, string> = new Map([
  ["date", "a date such as 2024-05-01"],
  ["time", "a time such as 10:00:00Z"],
  ["date-time", "a date and time such as 2024-05-01T10:00:00Z"],
  ["duration", "a duration such as P1DT2H"],
  ["uri", "a URI"],
  ["uri-reference", "a URI or a relative reference"],
  ["uri-template", "a URI template"],
  ["url", "a web address"],
  ["email", "an e-mail address"],
  ["hostname", "a host name"],
  ["ipv4", "an IPv4 address"],
  ["ipv6", "an IPv6 address"],
  ["regex", "a regular expression"],
  ["uuid", "a UUID"],
  ["json-pointer", "a JSON pointer"],
  ["relative-json-pointer", "a relative JSON pointer"],
]);

/** True where texts can be held against the format. */
export function isKnownFormat(format: string): boolean {
  return NAMES.has(format) && Object.hasOwn(engineFormats, format);
}

/** `a UUID`; for a format that only a pattern decides, its name. */
export function formatName(format: string): string {
  return NAMES.get(format) ?? `of the format ${JSON.stringify(format)}`;
}
