import { expectTypeOf, test } from "vitest";
import type { Report } from "entail";
import { createJudge, measureJudge, panel, type Claim, type Judge, type JudgedCounts, judgedRates, type Label, type MeasuredQuality, type Vote } from "entail/judge";
import type { Client } from "entail/model";

declare const client: Client;
declare const judge: Judge;

type Rate = NonNullable<NonNullable<Report["judge"]>["rates"]>[number];
type Corrected = NonNullable<Rate["corrected"]>[number];

test("a corrected rate has its interval and the count of its labels, or it is none", () => {
  expectTypeOf<Corrected["interval"]>().toEqualTypeOf<readonly [lower: number, upper: number]>();
  expectTypeOf<Corrected["labels"]>().toEqualTypeOf<number>();
  // @ts-expect-error without an interval
  const bare: Corrected = { method: "ppi", rate: 0.5, labels: 3 };
  // @ts-expect-error without its labels
  const unlabelled: Corrected = { method: "ppi", rate: 0.5, interval: [0, 1] };
  void [bare, unlabelled];
});

test("a measurement is one with its figures, or the reason why there is none", () => {
  type Measurement = NonNullable<NonNullable<Report["judge"]>["measurement"]>;
  expectTypeOf<Extract<Measurement, { measured: false }>>().toEqualTypeOf<{ readonly measured: false; readonly reason: string }>();
  // @ts-expect-error unmeasured, and why not
  const silent: Measurement = { measured: false };
  void silent;
});

test("a panel is a judge, and votes name labels", () => {
  expectTypeOf(panel([judge, createJudge(client, { maxOutputTokens: 1, judgeEvidence: true, controls: true })])).toEqualTypeOf<Judge>();
  expectTypeOf<Vote["label"]>().toEqualTypeOf<Label>();
  expectTypeOf(judgedRates(new Map<Label, JudgedCounts>(), undefined)).toEqualTypeOf<readonly Rate[]>();
  expectTypeOf(measureJudge).returns.resolves.toEqualTypeOf<MeasuredQuality>();
  // @ts-expect-error a claim expects one of four labels
  const claim: Claim = { id: "c", text: "t", expect: "maybe" };
  void claim;
});
