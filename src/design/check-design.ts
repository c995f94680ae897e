// Owns the checking of a whole design: what it declares, who reaches what, and that every name is had once. All faults are reported together.

import { EntailError, messageOf } from "../core/error.ts";
import type { AgentDesign } from "./agent.ts";
import { checkedList, checkedName, checkedText, isObject, sayAt, sayUnknownMembers, shown, type Findings, type Say } from "./check-member.ts";
import { checkedSuite } from "./check-suite.ts";
import { checkedToolset } from "./check-toolset.ts";
import type { CheckedDesign, CheckedSuite, CheckedTool, CheckedToolset } from "./checked-design.ts";
import { designError } from "./design-error.ts";
import { isDesign, type Design } from "./design.ts";
import { kindOf } from "./mark.ts";
import { agentsReached, exportsOf, reachableToolsets, readUse, toolsetsOf } from "./reach.ts";
import type { SuiteDesign } from "./suite.ts";
import type { ToolsetDesign } from "./toolset.ts";

const DESIGN_MEMBERS = ["agents", "suites"] as const;
const AGENT_MEMBERS = ["description", "toolsets", "exports", "uses", "suites"] as const;
const USE_MEMBERS = ["agent", "toolsets"] as const;

/**
 * Checks the designs of one project together. Throws one `design_invalid` error whose `faults` are all that is wrong with them, each with its
 * place and its mend.
 */
export function checkDesign(...designs: readonly Design[]): CheckedDesign {
  const findings: Findings = { faults: [], warnings: [] };
  const checked = contained(() => checkedDesign(designs, findings));
  if (findings.faults.length > 0) throw designError(findings.faults);
  return checked;
}

/** A getter that throws is the only thing that gets here; it must not look like a fault of Entail's. */
function contained<Value>(check: () => Value): Value {
  try {
    return check();
  } catch (thrown) {
    throw new EntailError("design_invalid", `the design cannot be read: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function checkedDesign(designs: readonly Design[], findings: Findings): CheckedDesign {
  const listed = designs.map((design) => readDesign(design, findings));
  const agents = agentsReached(listed.flatMap((each) => each.agents));
  const attached: { readonly suite: SuiteDesign; readonly agent?: AgentDesign }[] = [
    ...agents.flatMap((agent) => readAgent(agent, findings).map((suite) => ({ suite, agent }))),
    ...listed.flatMap((each) => each.suites.map((suite) => ({ suite }))),
  ];
  const say = sayAt(findings, "the design");
  sayDuplicates(agents, "agent_name_duplicate", "agents", say);
  const toolsets = [...new Set(agents.flatMap((agent) => [...toolsetsOf(agent), ...exportsOf(agent)]))];
  sayDuplicates(toolsets, "toolset_name_duplicate", "toolsets", say);
  sayDuplicates(
    attached.map((each) => each.suite),
    "suite_name_duplicate",
    "suites",
    say,
  );
  const checkedToolsets = new Map<ToolsetDesign, CheckedToolset>(toolsets.map((toolset) => [toolset, checkedToolset(toolset, findings)]));
  const reached = new Map<AgentDesign, readonly CheckedTool[]>(agents.map((agent) => [agent, reachedTools(agent, checkedToolsets, findings)]));
  // Once, however often it is attached.
  const checkedSuites = new Map<SuiteDesign, CheckedSuite>();
  const suites = attached.map(({ suite, agent }): CheckedSuite => {
    const checked = checkedSuites.get(suite) ?? checkedSuite(suite, findings);
    checkedSuites.set(suite, checked);
    return agent === undefined ? checked : { ...checked, agent: { name: agent.name, tools: reached.get(agent) ?? [] } };
  });
  return {
    suites: suites.sort((a, b) => (a.id < b.id ? -1 : 1)),
    toolsets: [...checkedToolsets.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    warnings: findings.warnings,
  };
}

function readDesign(design: Design, findings: Findings): { readonly agents: readonly AgentDesign[]; readonly suites: readonly SuiteDesign[] } {
  const say = sayAt(findings, "the design");
  if (!isDesign(design)) {
    say("bad_context", `the default export must be what design() made, not ${kindOf(design) === undefined ? shown(design) : `a ${kindOf(design)}`}`);
    return { agents: [], suites: [] };
  }
  const shape: unknown = design.shape;
  if (!isObject(shape)) {
    say("design_member_invalid", `needs { agents, suites }, not ${shown(shape)}`);
    return { agents: [], suites: [] };
  }
  sayUnknownMembers(shape, DESIGN_MEMBERS, say);
  return { agents: [...new Set(listOf(shape, "agents", "agent", say))], suites: listOf(shape, "suites", "suite", say) };
}

/** Says what is wrong with the agent itself, and gives its suites. */
function readAgent(agent: AgentDesign, findings: Findings): readonly SuiteDesign[] {
  const say = sayAt(findings, `agent ${shown(agent.name)}`);
  checkedName(agent.name, "agent_name_invalid", "an agent's name", say);
  const shape: unknown = agent.shape;
  if (!isObject(shape)) {
    say("design_member_invalid", `needs { toolsets, suites }, not ${shown(shape)}`);
    return [];
  }
  sayUnknownMembers(shape, AGENT_MEMBERS, say);
  checkedText(shape, "description", say);
  listOf(shape, "toolsets", "toolset", say);
  listOf(shape, "exports", "toolset", say);
  for (const [at, entry] of checkedList(shape, "uses", say).entries()) sayOfUse(entry, at, say);
  return listOf(shape, "suites", "suite", say);
}

function sayOfUse(entry: unknown, at: number, say: Say): void {
  const use = readUse(entry);
  if (use === undefined) {
    const kind = kindOf(entry);
    if (kind !== undefined) say("bad_context", `a ${kind} stands in "uses", at ${at}; write an agent, or { agent, toolsets }`);
    else say("agent_unknown", `"uses" at ${at} is no agent but ${shown(entry)}; agents that use each other write get uses() { return [other]; }`);
    return;
  }
  if (kindOf(entry) === "agent") return;
  sayUnknownMembers(entry as object, USE_MEMBERS, (code, message) => say(code, `"uses" at ${at} ${message}`));
  const named = checkedList(entry as Readonly<Record<string, unknown>>, "toolsets", say);
  const exported = exportsOf(use.agent).map((toolset) => toolset.name);
  for (const name of named) {
    if (typeof name !== "string" || !exported.includes(name)) {
      say("toolset_not_exported", `uses toolset ${shown(name)} of agent ${shown(use.agent.name)}, which exports ${exported.length === 0 ? "none" : exported.map(shown).join(", ")}`);
    }
  }
}

interface Listed {
  readonly agent: AgentDesign;
  readonly suite: SuiteDesign;
  readonly toolset: ToolsetDesign;
}

/** The members of a list that are of the kind asked for; the others are said. */
function listOf<Kind extends keyof Listed>(shape: Readonly<Record<string, unknown>>, member: string, kind: Kind, say: Say): readonly Listed[Kind][] {
  return checkedList(shape, member, say).flatMap((entry, at): readonly Listed[Kind][] => {
    const found = kindOf(entry);
    if (found === kind) return [entry as Listed[Kind]];
    say("bad_context", `${found === undefined ? shown(entry) : `a ${found}`} stands in "${member}", at ${at}, where ${kind === "agent" ? "an" : "a"} ${kind} is declared`);
    return [];
  });
}

function sayDuplicates(named: readonly { readonly name: string }[], code: "agent_name_duplicate" | "suite_name_duplicate" | "toolset_name_duplicate", what: string, say: Say): void {
  for (const [name, same] of Map.groupBy(named, (each) => each.name)) {
    if (same.length > 1) say(code, `${same.length} ${what} have the name ${shown(name)}; rename one`);
  }
}

/** The tools that the agent reaches, by name; two of one name are said, because a model could not tell them apart. */
function reachedTools(agent: AgentDesign, checked: ReadonlyMap<ToolsetDesign, CheckedToolset>, findings: Findings): readonly CheckedTool[] {
  const tools = reachableToolsets(agent).flatMap((toolset) => checked.get(toolset)?.tools ?? []);
  const say = sayAt(findings, `agent ${shown(agent.name)}`);
  for (const [name, same] of Map.groupBy(tools, (tool) => tool.name)) {
    const owners = [...new Set(same.map((tool) => tool.toolset))].sort();
    // Within one toolset it is that toolset's own fault.
    if (owners.length > 1) say("tool_name_duplicate", `reaches the tool ${shown(name)} in toolsets ${owners.map(shown).join(" and ")}; rename one, with tool({ name }) where the key must stay`);
  }
  return tools.sort((a, b) => (a.name < b.name ? -1 : 1));
}
