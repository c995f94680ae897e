// Owns JSON folded and readable: always text, digits as they came, strings without quotes unless they would look like something else.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type JsonNode, readJson } from "../../../json/read-json.ts";
import { inner } from "./alien.tsx";
import { count } from "./number.ts";

/** Members of an object or a list that are drawn at once. */
const AT_ONCE = 50;
const SHORT = 60;

/** `undefined` where the text is not JSON. */
export function parseJson(text: string): JsonNode | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** A JSON text as a tree; a text that is none as it is. */
export function Json({ text, open = 1 }: { readonly text: string; readonly open?: number }): JSX.Element {
  const node = parseJson(text);
  return <div class="json">{node === undefined ? <bdi>{inner(text)}</bdi> : <Node node={node} name={undefined} open={open} />}</div>;
}

function Node({ node, name, open }: { readonly node: JsonNode; readonly name: string | undefined; readonly open: number }): JSX.Element {
  const label = name === undefined ? null : <><span class="k"><bdi>{inner(name)}</bdi></span><span class="p">: </span></>;
  if (node.kind !== "object" && node.kind !== "array") return <div>{label}<Leaf node={node} /></div>;
  const members: readonly (readonly [string | undefined, JsonNode])[] = node.kind === "object" ? [...node.members] : node.items.map((item) => [undefined, item] as const);
  const [begin, end] = node.kind === "object" ? ["{", "}"] : ["[", "]"];
  if (members.length === 0) return <div>{label}<span class="p">{`${begin}${end}`}</span></div>;
  return <Fold label={label} begin={begin} end={end} members={members} said={summary(node)} open={open} />;
}

function Fold({ label, begin, end, members, said, open }: { readonly label: JSX.Element | null; readonly begin: string; readonly end: string; readonly members: readonly (readonly [string | undefined, JsonNode])[]; readonly said: string; readonly open: number }): JSX.Element {
  const [isOpen, setOpen] = useState(open > 0);
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{label}<span class="p">{begin}</span><span class="fold"> <bdi>{inner(said)}</bdi> {end}</span></summary>
      {isOpen ? (
        <>
          <div class="in">
            {members.slice(0, shown).map(([name, node], at) => <Node key={at} node={node} name={name} open={open - 1} />)}
            {members.length > shown ? <button type="button" class="more" onClick={() => setShown(shown + 200)}>{count(members.length - shown)} more</button> : null}
          </div>
          <span class="p">{end}</span>
        </>
      ) : null}
    </details>
  );
}

function Leaf({ node }: { readonly node: Exclude<JsonNode, { kind: "object" | "array" }> }): JSX.Element {
  switch (node.kind) {
    case "string":
      return looksOther(node.value) ? <bdi>{inner(JSON.stringify(node.value))}</bdi> : <bdi>{inner(node.value)}</bdi>;
    case "number":
      return <span class="n">{node.text}</span>;
    case "boolean":
      return <span class="n">{String(node.value)}</span>;
    case "null":
      return <span class="n">null</span>;
    default:
      return node satisfies never;
  }
}

/** A string that would be taken for a number, a truth, nothing, or for having no edge. */
const looksOther = (value: string): boolean => value === "" || /^(true|false|null|[-+]?(\d|\.\d).*)$/.test(value) && /^[-+\d.eE]+$|^(true|false|null)$/.test(value) || /^\s|\s$/.test(value);

function summary(node: JsonNode): string {
  if (node.kind === "array") return `${count(node.items.length)} ${node.items.length === 1 ? "item" : "items"}`;
  if (node.kind !== "object") return "";
  const names = [...node.members.keys()];
  return names.slice(0, 4).map((name) => name.slice(0, SHORT)).join(", ") + (names.length > 4 ? ` + ${names.length - 4}` : "");
}

/** Arguments in one line: `line L3 · window 24h`. */
export function inOneLine(text: string): string {
  const node = parseJson(text);
  if (node === undefined) return text.slice(0, 200);
  if (node.kind !== "object") return short(node);
  return [...node.members].slice(0, 8).map(([name, value]) => `${name} ${short(value)}`).join(" · ");
}

function short(node: JsonNode): string {
  switch (node.kind) {
    case "string":
      return node.value.slice(0, SHORT);
    case "number":
      return node.text;
    case "boolean":
      return String(node.value);
    case "null":
      return "null";
    case "array":
      return node.items.length > 0 && node.items.length <= 6 && node.items.every(({ kind }) => kind !== "object" && kind !== "array") ? node.items.map(short).join(", ") : summary(node);
    case "object":
      return node.members.size <= 2 ? [...node.members].map(([name, value]) => `${name} ${value.kind === "object" ? "{…}" : short(value)}`).join(", ") : `{ ${summary(node)} }`;
    default:
      return node satisfies never;
  }
}

/** A result in one phrase. */
export function inOnePhrase(text: string): string {
  const node = parseJson(text);
  if (node === undefined) return text.slice(0, 120);
  if (node.kind === "object") {
    const lists = [...node.members].filter((member): member is [string, JsonNode & { kind: "array" }] => member[1].kind === "array");
    if (lists.length > 0) return lists.slice(0, 2).map(([name, list]) => `${list.items.length} ${name}`).join(", ");
    return [...node.members].slice(0, 3).map(([, value]) => short(value)).join(", ");
  }
  return short(node);
}
