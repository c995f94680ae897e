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

test("masking a long text takes no longer than reading it", () => {
  const mask = createMask({ A_KEY: "a.a.a.a.a.a.a.b" });
  const started = performance.now();
  for (const piece of ["a-", "a.", "sk-", "x://", "https://a?", "Bearer "]) mask(piece.repeat(50_000));
  expect(performance.now() - started).toBeLessThan(3_000);
});
