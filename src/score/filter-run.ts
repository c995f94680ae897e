// Owns the thinning of a run before a scorer sees it, message by message.

import { listMember, listOf, member, recordMember, recordOf, textMember } from "../core/member.ts";
import type { ScorerRun } from "../core/scorer.ts";

export interface FilterRunOptions {
  /** Keeps messages with a part whose type begins so. */
  readonly partTypes?: readonly string[] | undefined;
  /** Keeps, of the messages that call tools, those that call one whose name begins so. */
  readonly toolNames?: readonly string[] | undefined;
  /** The last so many. */
  readonly maxRememberedMessages?: number | undefined;
  readonly maxOutputMessages?: number | undefined;
  readonly dropRequestContext?: boolean | undefined;
  readonly dropExpectedTrajectory?: boolean | undefined;
  readonly dropGroundTruth?: boolean | undefined;
}

/** Makes the `prepareRun` of a scorer. The run that is given is left as it is; system messages are never touched. */
export function filterRun(options: FilterRunOptions): <Run extends Partial<ScorerRun>>(run: Run) => Run {
  return (run) => {
    const dropped = (["requestContext", "expectedTrajectory", "groundTruth"] as const).filter((_, at) => [options.dropRequestContext, options.dropExpectedTrajectory, options.dropGroundTruth][at] === true);
    const kept = Object.fromEntries(Object.entries(run).filter(([name]) => !(dropped as readonly string[]).includes(name))) as typeof run & { input?: unknown; output?: unknown };
    const remembered = listMember(kept.input, "rememberedMessages");
    if (remembered !== undefined) kept.input = { ...recordOf(kept.input), rememberedMessages: thin(remembered, options, options.maxRememberedMessages) };
    const output = listOf(kept.output);
    if (output !== undefined) kept.output = thin(output, options, options.maxOutputMessages);
    return kept;
  };
}

function thin(messages: readonly unknown[], options: FilterRunOptions, most: number | undefined): readonly unknown[] {
  const kept = messages.filter((message) => isKept(message, options));
  return most !== undefined && most > 0 ? kept.slice(-most) : kept;
}

function isKept(message: unknown, { partTypes, toolNames }: FilterRunOptions): boolean {
  const parts = listMember(member(message, "content"), "parts") ?? listMember(message, "parts") ?? listMember(message, "content");
  if (parts === undefined) return true;
  const ofType = partTypes === undefined || parts.some((part) => beginsWith(textMember(part, "type"), partTypes));
  const tools = parts.map(toolName).filter((name) => name !== undefined);
  return ofType && (toolNames === undefined || tools.length === 0 || tools.some((name) => beginsWith(name, toolNames)));
}

function toolName(part: unknown): string | undefined {
  return textMember(recordMember(part, "toolInvocation"), "toolName") ?? textMember(part, "toolName");
}

function beginsWith(text: string | undefined, beginnings: readonly string[]): boolean {
  return text !== undefined && beginnings.some((beginning) => text.startsWith(beginning));
}
