// Owns Markdown as a tree of our own: no HTML of the text, no pictures, and links that first show where they lead and go nowhere by themselves.

import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { type ComponentChildren, Fragment, type JSX } from "preact";
import { useState } from "preact/hooks";
import { inner } from "./alien.tsx";

export function Markdown({ text }: { readonly text: string }): JSX.Element {
  return <div class="md"><bdi>{drawn(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node, 0)}</bdi></div>;
}

/** Of a syntax tree of mdast, what is read here. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly url?: string;
  readonly alt?: string | null;
  readonly ordered?: boolean | null;
  readonly start?: number | null;
}

/** Deeper than this, what is left is shown as its characters. */
const DEPTH = 60;

const children = (node: Node, depth: number): ComponentChildren => (node.children ?? []).map((child, at) => <Fragment key={at}>{drawn(child, depth + 1)}</Fragment>);

function drawn(node: Node, depth: number): ComponentChildren {
  if (depth > DEPTH) return "…";
  const text = (): ComponentChildren => inner(node.value ?? "");
  const within = (): ComponentChildren => children(node, depth);
  switch (node.type) {
    case "paragraph":
      return <p>{within()}</p>;
    case "heading":
      return <p class="md-h">{within()}</p>;
    case "strong":
      return <b>{within()}</b>;
    case "emphasis":
      return <em>{within()}</em>;
    case "delete":
      return <span class="md-d">{within()}</span>;
    case "code":
      return <pre class="json">{text()}</pre>;
    case "inlineCode":
    case "html":
      return <code>{text()}</code>;
    case "blockquote":
      return <blockquote>{within()}</blockquote>;
    case "list":
      return <div class="md-l">{(node.children ?? []).map((item, at) => <div key={at} class="md-i"><span class="quiet">{node.ordered === true ? `${(node.start ?? 1) + at}.` : "•"}</span><div>{children(item, depth + 1)}</div></div>)}</div>;
    case "table":
      return <div class="scroll"><table class="md-t"><tbody>{(node.children ?? []).map((row, at) => <tr key={at}>{(row.children ?? []).map((cell, index) => <td key={index}>{children(cell, depth + 2)}</td>)}</tr>)}</tbody></table></div>;
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr />;
    case "link":
      return <InertLink address={node.url ?? ""}>{within()}</InertLink>;
    case "image":
      return <InertLink address={node.url ?? ""}>{inner(node.alt || "a picture")}</InertLink>;
    default:
      return node.children === undefined ? text() : within();
  }
}

/** Pressed once, it shows where it leads. It opens nothing. */
export function InertLink({ address, children: text }: { readonly address: string; readonly children: ComponentChildren }): JSX.Element {
  const [shown, setShown] = useState(false);
  return (
    <>
      <button type="button" class="inert" aria-expanded={shown} onClick={() => setShown(!shown)}>{text}</button>
      {shown ? <span class="quiet"> (leads to <code><bdi>{inner(address)}</bdi></code>)</span> : null}
    </>
  );
}
