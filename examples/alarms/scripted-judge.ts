// The judge's half of the stand-in model: a small reader of plain English. It knows no claim by its id; it reads the claims from the
// grading tool's schema and the text from the user message, and decides each by what the text says.
import type { ChatCompletionRequest, FixtureResponse } from "@copilotkit/aimock";

type Label = "entailed" | "contradicted" | "not_addressed" | "indeterminate";
interface Grade {
  readonly label: Label;
  readonly rationale: string;
}
interface GradingSchema {
  readonly required: readonly string[];
  readonly properties: Record<string, { readonly description: string }>;
}

export function judgeAnswer(request: ChatCompletionRequest): FixtureResponse {
  const tool = request.tools?.[0]?.function;
  const schema = tool?.parameters as GradingSchema;
  const data = request.messages.find((message) => message.role === "user")?.content as string;
  const { output, reference = "" } = JSON.parse(data) as { output: string; reference?: string };
  const grades = schema.required.map((id) => [id, grade(schema.properties[id]?.description ?? "", output, reference)] as const);
  return { toolCalls: [{ name: tool?.name ?? "", arguments: JSON.stringify(Object.fromEntries(grades)) }] };
}

function grade(claim: string, output: string, reference: string): Grade {
  if (/every alarm that the reference lists/.test(claim)) return gradeCoverage(output, reference);
  const limit = /^Any .* must be (\d+)/.exec(claim)?.[1];
  if (limit !== undefined) return gradeLimit(limit, output);
  return gradeStatement(claim, output);
}

const alarmIds = (text: string): string[] => [...new Set(text.match(/\bA-\d+\b/g))];

function gradeCoverage(output: string, reference: string): Grade {
  const named = alarmIds(output);
  const missing = alarmIds(reference).filter((id) => !named.includes(id));
  if (named.length === 0) return { label: "not_addressed", rationale: "The output names no alarm." };
  if (missing.length === 0) return { label: "entailed", rationale: `The output names all ${named.length} of them.` };
  return { label: "contradicted", rationale: `The output names ${named.length} and leaves out ${missing.length}, ${missing[0]} among them.` };
}

function gradeLimit(limit: string, output: string): Grade {
  const quoted = output.match(/\b\d+(?= alarms)/g) ?? [];
  const wrong = quoted.find((number) => number !== limit);
  if (wrong !== undefined) return { label: "contradicted", rationale: `The output quotes ${wrong}.` };
  return { label: "entailed", rationale: quoted.length === 0 ? "The output quotes none, which the claim allows." : `The output quotes ${limit}.` };
}

/** Words that carry no fact. */
const EMPTY = new Set("the a an of in is at are was it that to as and only answer say name give count".split(" "));
const OPPOSITES: readonly (readonly [string, string])[] = [
  ["running", "switched off"],
  ["does not exist", "comes from"],
];

const words = (text: string): string[] => (text.toLowerCase().match(/[a-z0-9-]+/g) ?? []).map((word) => word.replace(/(?<=[a-rt-z]{2})s$/, ""));
const sentences = (text: string): string[] => text.split(/(?<=[.!?])\s+/);
/** Things with a number of their own: `A-103`, `pump 3`. */
const things = (text: string): string[] => text.toLowerCase().match(/\ba-\d+\b|\b(?:pump|boiler|fan|chiller) \d+\b/g) ?? [];
/** Amounts with what they count: `23 alarms`. */
const amounts = (text: string): { readonly amount: string; readonly of: string }[] =>
  [...text.toLowerCase().matchAll(/(?<!pump |boiler |fan |chiller |a-)\b(\d+) ([a-z]+)/g)].map((match) => ({ amount: match[1] ?? "", of: match[2] ?? "" }));

function gradeStatement(claim: string, output: string): Grade {
  const about = things(claim);
  const relevant = sentences(output).filter((sentence) => about.every((thing) => things(sentence).includes(thing)));
  if (relevant.length === 0) return { label: "not_addressed", rationale: `The output says nothing about ${about.join(" and ")}.` };
  const claimed = amounts(claim)[0];
  if (claimed !== undefined) {
    const said = new Set(relevant.flatMap(amounts).filter((one) => one.of === claimed.of).map((one) => one.amount));
    if (said.size === 0) return { label: "not_addressed", rationale: `The output gives no number of ${claimed.of}.` };
    const all = `${[...said].join(" and ")} ${claimed.of}`;
    if (said.size > 1) return { label: "indeterminate", rationale: `The output gives ${all}, and cannot mean both.` };
    return { label: said.has(claimed.amount) ? "entailed" : "contradicted", rationale: `The output gives ${all}.` };
  }
  const facts = words(claim).filter((word) => !EMPTY.has(word));
  const saying = relevant.find((sentence) => facts.every((fact) => words(sentence).includes(fact)));
  if (saying !== undefined) return { label: "entailed", rationale: `The output says: ${saying}` };
  const opposite = OPPOSITES.flatMap(([one, other]) => [[one, other], [other, one]] as const).find(
    ([one, other]) => claim.toLowerCase().includes(one) && relevant.some((sentence) => sentence.toLowerCase().includes(other)),
  )?.[1];
  if (opposite !== undefined) return { label: "contradicted", rationale: `The output says "${opposite}".` };
  return { label: "not_addressed", rationale: "The output does not say so, nor its opposite." };
}
