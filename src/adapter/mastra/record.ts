// Owns what the object around a stream records of its run that no chunk tells: the texts of its steps as processors left them, and an end
// that came only after the last chunk.

import { listOf, member, recordMember, recordOf, textMember } from "../../core/member.ts";
import type { SeenEnd } from "./part.ts";
import { workflowEnd } from "./workflow-chunk.ts";

/** A record that never settles must not hold up the end of a run. */
const WAIT_MS = 1000;

/** What a promise gives, or what it rejects with; `undefined` for one that takes too long. Anything else is itself. */
async function settled(promise: unknown): Promise<{ readonly value?: unknown; readonly thrown?: unknown } | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, WAIT_MS, undefined);
    });
    return await Promise.race([Promise.resolve(promise).then((value) => ({ value })), late]);
  } catch (thrown) {
    return { thrown };
  } finally {
    clearTimeout(timer);
  }
}

/** The texts of the run's steps; `undefined` where they are not known. */
export async function recordedTexts(source: unknown): Promise<readonly (string | undefined)[] | undefined> {
  const steps = listOf((await settled(member(source, "steps")))?.value);
  return steps?.map((step) => textMember(step, "text"));
}

/** An end that the object itself knows of: a processor refused the whole result, or broke. */
export function recordedEnd(source: unknown): SeenEnd | undefined {
  const tripwire = recordMember(source, "tripwire");
  if (tripwire !== undefined) return { kind: "tripwire", reason: textMember(tripwire, "reason"), processor: textMember(tripwire, "processorId") };
  const error = member(source, "error");
  return recordOf(error) === undefined && typeof error !== "string" ? undefined : { kind: "failed", error };
}

/** The end of a network or a workflow whose stream stopped without one: what its result says. */
export async function recordedResult(source: unknown): Promise<SeenEnd | undefined> {
  if (recordMember(source, "result") === undefined) return undefined;
  const result = await settled(member(source, "result"));
  if (result === undefined) return undefined;
  if ("thrown" in result) return { kind: "failed", error: result.thrown };
  return workflowEnd(textMember(result.value, "status"), member(result.value, "error"), member(result.value, "tripwire"));
}
