// Owns the reading of a chunk of Mastra's, whichever of its streams it is of.

import { member, textMember } from "../../core/member.ts";
import { readAgentChunk } from "./agent-chunk.ts";
import { readNetworkChunk } from "./network-chunk.ts";
import type { Part } from "./part.ts";
import { readWorkflowChunk } from "./workflow-chunk.ts";

/** The parts of a chunk, in order. Never throws: what cannot be read is an unknown part. `say` puts a workflow's result into words. */
export function readChunk(chunk: unknown, say: (result: unknown) => string): readonly Part[] {
  const type = textMember(chunk, "type");
  if (type === undefined) return [{ kind: "unknown", type: chunk === null ? "null" : typeof chunk }];
  const payload = member(chunk, "payload");
  const part = readAgentChunk(type, payload);
  if (part !== undefined) return part === null ? [] : [part];
  return readWorkflowChunk(type, payload, say) ?? readNetworkChunk(type, payload) ?? [{ kind: "unknown", type }];
}
