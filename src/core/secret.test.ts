import { expect, test } from "vitest";
import { createMask } from "./secret.ts";

test("values of telling variables are masked wherever they stand, the longest first", () => {
  const mask = createMask({ OPENAI_API_KEY: "abcd-efgh-1234", SESSION_TOKEN: "abcd-efgh-1234-5678", HOME: "/home/someone", MY_password: "hunter22" });
  expect(mask('{"key":"abcd-efgh-1234-5678","other":"abcd-efgh-1234"} /home/someone hunter22')).toBe('{"key":"‹masked›","other":"‹masked›"} /home/someone ‹masked›');
});

test("a short value and a variable of another name stay, unless the name was given", () => {
  expect(createMask({ API_KEY: "short", PLACE: "Brooklyn" })("short Brooklyn")).toBe("short Brooklyn");
  expect(createMask({ CITY_NAME: "Brooklyn" }, ["CITY_NAME"])("in Brooklyn")).toBe("in ‹masked›");
});

test("texts of well-known shapes are masked", () => {
  const mask = createMask({});
  expect(mask("sk-proj-0123456789abcdefghij")).toBe("‹masked›");
  expect(mask("ghp_0123456789abcdefghijABCDEFGHIJ")).toBe("‹masked›");
  expect(mask("Authorization: Bearer eyJhbGciOi.J9-_x")).toBe("Authorization: Bearer ‹masked›");
  expect(mask("postgres://user:secret@host/db and https://host/a?sig=1&window=24h#top")).toBe("postgres://‹masked›@host/db and https://host/a?‹masked›#top");
  expect(mask("a task-force, skating, ask-me")).toBe("a task-force, skating, ask-me");
});

test.each([
  ["redis://:p4ss-w0rd@host:6379/0", "redis://‹masked›@host:6379/0"],
  ["postgres://user:p@ss/w0rd@host/db", "postgres://‹masked›@host/db"],
  ["postgres://host/db?user=u&password=hunter33", "postgres://host/db?‹masked›"],
  ["https://host/cb#access_token=abcd1234abcd&x=1", "https://host/cb#access_token=‹masked›&x=1"],
  ["authorization: bearer abcd1234abcd", "authorization: bearer ‹masked›"],
  ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic ‹masked›"],
  ['{"x-api-key":"abcd1234abcd"}', '{"x-api-key":"‹masked›"}'],
  [String.raw`{"body":"{\"api_key\":\"abcd1234abcd\"}"}`, String.raw`{"body":"{\"api_key\":\"‹masked›\"}"}`],
  ["api_key=abcd1234abcd", "api_key=‹masked›"],
  ["AKIAIOSFODNN7EXAMPLE and AIzaSyA1234567890abcdefghijklmnopqrstuv", "‹masked› and ‹masked›"],
  ["xoxb-123456789012-abcdef, glpat-abcdefghij1234567890", "‹masked›, ‹masked›"],
  ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijk", "‹masked›"],
  ["-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----", "‹masked›"],
])("kind secrets-leak: %s is masked", (text, masked) => {
  expect(createMask({})(text)).toBe(masked);
});

test.each(["http://localhost:3000/@fs/x", "https://host/a:b@c", "git@host:a/b", "the password: required", "max tokens: 1000000000", "https://host/package/@scope/name", "a bearer bond"])("%s is no secret", (text) => {
  expect(createMask({})(text)).toBe(text);
});

test("kind secrets-leak: a value is masked without its line end, as JSON, as an address writes it, and each of a list", () => {
  const mask = createMask({ A_TOKEN: "line-end-token\n", B_SECRET: 'quo"te\\slash', C_KEY: "with/slash+plus=", D_KEYS: "first-key-1,other-key-2", DB_PASS: "db-pass-1", PWD: "/home/someone" });
  expect(mask("line-end-token!")).toBe("‹masked›!");
  expect(mask(JSON.stringify({ b: 'quo"te\\slash' }))).toBe('{"b":"‹masked›"}');
  expect(mask(`?k=${encodeURIComponent("with/slash+plus=")}`)).toBe("?k=‹masked›");
  expect(mask("first-key-1 other-key-2 db-pass-1 /home/someone")).toBe("‹masked› ‹masked› ‹masked› /home/someone");
});

test("masking a long text takes no longer than reading it", () => {
  const mask = createMask({ A_KEY: "a.a.a.a.a.a.a.b" });
  const started = performance.now();
  for (const piece of ["a-", "a.", "sk-", "x://", "https://a?", "Bearer ", "x://a:", "x://:a/", "x://a:b@", "eyJaaaaaaaaaa.", "-----BEGIN PRIVATE KEY-----", "api_key=", "password:", "#a&"]) mask(piece.repeat(50_000));
  expect(performance.now() - started).toBeLessThan(3_000);
});
