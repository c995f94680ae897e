// As many instant cases as `CASES` says, each with one exact check. Runs the published build, as an application does.
import { check, evaluation, type Scenario } from "entail";

const count = Number(process.env["CASES"] ?? "1");

const scenarios: readonly Scenario[] = Array.from({ length: count }, (_, n) => ({
  id: `case_${n}`,
  description: "Answers at once.",
  tags: [],
  timeoutMs: 10_000,
  run: () => {
    const output = `answer ${n}`;
    return { checks: [check("answer", output === `answer ${n}`, () => output)], output };
  },
}));

export default evaluation({ suite: { id: "instant", description: "Nothing but the framework's own work.", scenarios }, maxConcurrency: 5 });
