// Compiles every code fence of the guides that show code under the strictest flags, against the real frameworks, and holds that no adapter is left out.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesBelow, read, root } from "./source.ts";
import { compileProject } from "./strict-compile.ts";

const PAGE = "docs/guide/your-agent.md";
/** What the fences of a section import of the application: `agent.ts` of `ai-sdk`, and so on. */
const APPLICATION = join(root, "test/fixture/guide");
const SECTIONS: Readonly<Record<string, string>> = {
  "In a hook": "hook", "AI SDK": "ai-sdk", "Mastra": "mastra", "OpenAI Agents": "openai-agents", "LangGraph": "langgraph", "AG-UI": "ag-ui", "Anthropic": "anthropic", "HTTP": "http", "Goa-AI": "goa-ai", "A2A": "a2a", "OpenTelemetry": "otel", "Tools of MCP servers": "mcp", "Anything else": "else",
};
/** A section of another framework may lean on the application of the AI SDK's. */
const LEANS: Readonly<Record<string, string>> = { mcp: "ai-sdk" };

interface Fence {
  readonly section: string;
  readonly text: string;
}

const sections = read(PAGE).split(/^## /m).slice(1).map((body) => ({ title: body.slice(0, body.indexOf("\n")), body }));
const fences: readonly Fence[] = sections.flatMap(({ title, body }) => [...body.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map((match) => ({ section: SECTIONS[title] ?? title, text: match[2] ?? "" })));

test("every section is known, and every fence of the page is TypeScript within one", () => {
  expect(sections.map(({ title }) => title)).toEqual(Object.keys(SECTIONS));
  const marks = [...read(PAGE).matchAll(/^```(\w*)$/gm)].map((match) => match[1]);
  expect(marks).toEqual(fences.flatMap(() => ["ts", ""]));
});

test("every adapter is shown, by a fence that imports its door", () => {
  const doors = filesBelow("src/adapter", /^index\.ts$/).map((path) => path.split("/")[2] ?? "");
  const shown = fences.flatMap(({ section, text }) => (text.includes(`from "entail/adapter/${section}"`) ? [section] : []));
  expect([...new Set(shown)].toSorted()).toEqual(doors.toSorted());
});

function complaintsOf(fill: (folder: string) => void): readonly string[] {
  const folder = mkdtempSync(join(root, "test/fixture/guide-"));
  try {
    const { compilerOptions } = JSON.parse(read("tsconfig.json")) as { readonly compilerOptions: object };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...compilerOptions, noUnusedLocals: true, noEmit: true }, include: ["**/*.ts"] }));
    fill(folder);
    return compileProject(join(folder, "tsconfig.json")).map((line) => line.replaceAll(folder, ""));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("every fence compiles, each as a file of its own, against the real frameworks", () => {
  const complaints = complaintsOf((folder) => {
    for (const section of new Set(fences.map((fence) => fence.section))) {
      const own = join(APPLICATION, LEANS[section] ?? section);
      if (existsSync(own)) cpSync(own, join(folder, section), { recursive: true });
      else mkdirSync(join(folder, section));
    }
    // The target of the hook's section is that of any other.
    writeFileSync(join(folder, "hook/chat.ts"), 'import { target } from "entail/adapter/http";\nexport const chat = target({ url: "https://agent.example/v1", tools: [] });\n');
    fences.forEach(({ section, text }, at) => writeFileSync(join(folder, section, `fence-${at}.ts`), text));
  });
  expect(complaints.join("\n")).toBe("");
});

test("every fence about conversations compiles, with a real Mastra agent", () => {
  const shown = [...read("docs/guide/conversations.md").matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  expect(shown.length).toBeGreaterThan(5);
  const complaints = complaintsOf((folder) => {
    cpSync(join(APPLICATION, "conversations"), folder, { recursive: true });
    shown.forEach((text, at) => writeFileSync(join(folder, `fence-${at}.ts`), text));
  });
  expect(complaints.join("\n")).toBe("");
});
