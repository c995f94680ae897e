// Owns the parts of A2A messages and artifacts: read into text in every form the protocol has, and written for a turn.

import { listMember, member, recordMember, textMember } from "../../core/member.ts";
import { canonicalJson } from "../../json/write-json.ts";
import { wireSafe } from "../../core/wire-safe.ts";

/** One part of a turn. It is sent in the form of the protocol that the agent speaks. */
export type InputPart =
  | { readonly text: string; readonly metadata?: Readonly<Record<string, unknown>> | undefined }
  | { readonly data: unknown; readonly metadata?: Readonly<Record<string, unknown>> | undefined }
  /** A file, by its address or by its bytes in base64. */
  | { readonly url: string; readonly mediaType?: string | undefined; readonly filename?: string | undefined; readonly metadata?: Readonly<Record<string, unknown>> | undefined }
  | { readonly raw: string; readonly mediaType?: string | undefined; readonly filename?: string | undefined; readonly metadata?: Readonly<Record<string, unknown>> | undefined };

export interface PartsText {
  readonly text: string;
  /** Files, and parts that hold nothing known. */
  readonly otherParts: number;
}

/** The text of one part: its words, or its data as JSON. `undefined` where it holds neither. */
function textOf(part: unknown): string | undefined {
  // The SDK of 1.0 keeps a part's content under a case; on the wire each content is a member of its own, with or without a `kind`.
  const content = recordMember(part, "content");
  const kind = textMember(content, "$case");
  if (kind !== undefined) return kind === "text" ? textMember(content, "value") : kind === "data" ? jsonOf(member(content, "value")) : undefined;
  const text = textMember(part, "text");
  if (text !== undefined) return text;
  const data = member(part, "data");
  return data === undefined ? undefined : jsonOf(data);
}

function jsonOf(value: unknown): string {
  return canonicalJson(wireSafe(value) ?? null);
}

/** The parts of a message or an artifact as one text: words as they stand, data on lines of its own. Never throws. */
export function partsText(of: unknown): PartsText {
  let text = "";
  let otherParts = 0;
  let afterData = false;
  for (const part of listMember(of, "parts") ?? []) {
    const read = textOf(part);
    if (read === undefined) {
      otherParts += 1;
      continue;
    }
    const isData = textMember(part, "text") === undefined && textMember(recordMember(part, "content"), "$case") !== "text";
    text += (isData || afterData) && text !== "" && read !== "" && !text.endsWith("\n") ? `\n${read}` : read;
    afterData = isData;
  }
  return { text, otherParts };
}

/** The parts of a turn in the form of 1.0, or of 0.3. */
export function wireParts(input: string | readonly InputPart[], protocol: "1.0" | "0.3"): readonly object[] {
  const parts: readonly InputPart[] = typeof input === "string" ? [{ text: input }] : input;
  return protocol === "1.0" ? parts.map((part) => ({ ...part })) : parts.map(legacyPart);
}

function legacyPart(part: InputPart): object {
  const metadata = part.metadata === undefined ? {} : { metadata: part.metadata };
  if ("text" in part) return { kind: "text", text: part.text, ...metadata };
  if ("data" in part) return { kind: "data", data: part.data, ...metadata };
  const file = {
    ...("url" in part ? { uri: part.url } : { bytes: part.raw }),
    ...(part.mediaType === undefined ? {} : { mimeType: part.mediaType }),
    ...(part.filename === undefined ? {} : { name: part.filename }),
  };
  return { kind: "file", file, ...metadata };
}
