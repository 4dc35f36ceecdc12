/** Markdown as the HTML of a letter: styles stand in the elements, nothing is loaded, and colours are those of the mail program, light or dark. */
import type { PhrasingContent, RootContent, Table } from "mdast";
import type { Citation } from "#shared/entities/message.ts";
import { splitCitations } from "#shared/markdown/citation-marks.ts";
import { directionOf } from "#shared/markdown/direction.ts";
import { isLineBreak } from "#shared/markdown/inline-text.ts";
import { isLooseList } from "#shared/markdown/loose-list.ts";
import { collectReferences, type References } from "#shared/markdown/references.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { columnAlignments, type EvenRow, rowsOfEqualLength } from "#shared/markdown/table-data.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import { createBudget, type Budget } from "./budget.ts";

const MONOSPACE = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";
/** Grey that is seen on white and on black. */
const LINE = "1px solid #999999";
const STYLE = {
  paragraph: "margin:0 0 1em",
  heading: ["1.3em", "1.15em", "1em"].map((size) => `margin:1.4em 0 .5em;font-size:${size};line-height:1.3;font-weight:700`),
  list: "margin:0 0 1em;padding:0 0 0 1.6em",
  item: "margin:0 0 .3em",
  quote: `margin:0 0 1em;padding:0 0 0 1em;border-left:${LINE}`,
  table: "margin:0 0 1em;border-collapse:collapse",
  cell: `border:${LINE};padding:4px 10px;vertical-align:top`,
  block: `margin:0 0 1em;padding:8px 12px;border:${LINE};border-radius:4px;white-space:pre-wrap;word-break:break-word;font-size:.92em;line-height:1.45;${MONOSPACE}`,
  code: `font-size:.92em;${MONOSPACE}`,
  rule: `margin:1.5em 0;border:0;border-top:${LINE}`,
} as const;

type Context = {
  references: References;
  numbers: ReadonlyMap<string, number>;
  citations: readonly Citation[];
  budget: Budget;
  isLink: boolean;
};

/** A letter's markdown as HTML; throws `TooMuchWork` where references would blow it up. */
export function toMailHtml(nodes: readonly RootContent[], citations: readonly Citation[]): string {
  const references = collectReferences(nodes);
  const numbers = new Map(references.footnotes.map(({ identifier }, index) => [identifier, index + 1]));
  const context: Context = { references, numbers, citations, budget: createBudget(), isLink: false };
  return blocks(nodes, context) + footnotes(context) + sources(citations);
}

/** Text as it was written, its lines kept. */
export function asWritten(text: string): string {
  return `<div dir="auto" style="white-space:pre-wrap;word-break:break-word">${escapeHtml(text)}</div>`;
}

function blocks(nodes: readonly RootContent[], context: Context): string {
  return nodes.map((node) => block(node, context)).join("");
}

function block(node: RootContent, context: Context): string {
  switch (node.type) {
    case "paragraph":
      return `<p dir="auto" style="${STYLE.paragraph}">${inline(node.children, context)}</p>`;
    case "heading": {
      const level = Math.min(node.depth, 3);
      return `<h${level} dir="auto" style="${STYLE.heading[level - 1]}">${inline(node.children, context)}</h${level}>`;
    }
    case "list": {
      const tag = node.ordered ? "ol" : "ul";
      const start = node.ordered && node.start && node.start !== 1 ? ` start="${node.start}"` : "";
      const place = { context, isTight: !isLooseList(node) };
      const items = node.children.map((item) => listItem(item, place)).join("");
      return `<${tag}${direction(node)}${start} style="${STYLE.list}">${items}</${tag}>`;
    }
    case "blockquote":
      return `<blockquote${direction(node)} style="${STYLE.quote}">${blocks(node.children, context)}</blockquote>`;
    case "table":
      return table(node, context);
    case "code":
    case "math":
      return `<pre style="${STYLE.block}">${escapeHtml(node.value)}</pre>`;
    case "thematicBreak":
      return `<hr style="${STYLE.rule}">`;
    case "html":
      return asWritten(node.value);
    default:
      return "";
  }
}

function direction(node: RootContent): string {
  const dir = directionOf(node);
  return dir === undefined ? "" : ` dir="${dir}"`;
}

function listItem(item: Extract<RootContent, { type: "listItem" }>, { context, isTight }: { context: Context; isTight: boolean }): string {
  const box = item.checked == null ? "" : `${item.checked ? "☑" : "☐"} `;
  const [first, ...rest] = item.children;
  const isPlain = isTight && first?.type === "paragraph";
  const body = isPlain ? inline(first.children, context) + blocks(rest, context) : blocks(item.children, context);
  return `<li dir="auto" style="${STYLE.item}">${box}${body}</li>`;
}

function table(node: Table, context: Context): string {
  const alignments = columnAlignments(node);
  const row = ({ cells: written, empty }: EvenRow, tag: "th" | "td") => {
    const cells = written.map(
      (cell, column) =>
        `<${tag} dir="auto" style="${STYLE.cell};text-align:${alignments[column] ?? "left"}">${inline(cell.children, context)}</${tag}>`,
    );
    const gaps = empty.map((span) => (span === 1 ? "<td></td>" : `<td colspan="${span}"></td>`));
    return `<tr>${cells.join("")}${gaps.join("")}</tr>`;
  };
  const [head] = node.children;
  return `<table${direction(node)} style="${STYLE.table}">${head ? row({ cells: head.children, empty: [] }, "th") : ""}${rowsOfEqualLength(
    node,
  )
    .map((each) => row(each, "td"))
    .join("")}</table>`;
}

function inline(nodes: readonly PhrasingContent[], context: Context): string {
  return nodes.map((node) => phrase(node, context)).join("");
}

function phrase(node: PhrasingContent, context: Context): string {
  const { definitions } = context.references;
  const inLink = { ...context, isLink: true };
  switch (node.type) {
    case "text":
      return context.isLink ? escapeHtml(node.value) : cited(node.value, context);
    case "strong":
      return `<strong>${inline(node.children, context)}</strong>`;
    case "emphasis":
      return `<em>${inline(node.children, context)}</em>`;
    case "delete":
      return `<del>${inline(node.children, context)}</del>`;
    case "inlineCode":
    case "inlineMath":
      return `<code style="${STYLE.code}">${escapeHtml(node.value)}</code>`;
    case "break":
      return "<br>";
    case "html":
      return isLineBreak(node.value) ? "<br>" : escapeHtml(node.value);
    case "link":
      return link(node.url, inline(node.children, inLink), context);
    case "linkReference":
      return link(definitions.get(node.identifier)?.url ?? "", inline(node.children, inLink), context);
    case "image":
      return link(node.url, escapeHtml(node.alt || "Image"), context);
    case "imageReference":
      return link(definitions.get(node.identifier)?.url ?? "", escapeHtml(node.alt || "Image"), context);
    case "footnoteReference":
      return `<sup>${context.numbers.get(node.identifier) ?? ""}</sup>`;
    default:
      return "";
  }
}

function link(url: string, text: string, { budget, isLink }: Context): string {
  const href = isLink ? undefined : safeUrl(url);
  if (href === undefined) return text;
  budget.spend(href.length);
  return `<a href="${escapeHtml(href)}">${text}</a>`;
}

function cited(text: string, { citations, budget }: Context): string {
  if (citations.length === 0) return escapeHtml(text);
  return splitCitations(text, citations.length)
    .map((part) => {
      if ("text" in part) return escapeHtml(part.text);
      const href = safeUrl(citations[part.number - 1]?.url ?? "");
      if (href === undefined) return ` [${part.number}]`;
      budget.spend(href.length);
      return ` <a href="${escapeHtml(href)}">[${part.number}]</a>`;
    })
    .join("");
}

function footnotes(context: Context): string {
  const { footnotes: notes } = context.references;
  if (notes.length === 0) return "";
  const items = notes.map((note) => `<li dir="auto" style="${STYLE.item}">${blocks(note.children, context)}</li>`).join("");
  return `<hr style="${STYLE.rule}"><ol style="${STYLE.list}">${items}</ol>`;
}

function sources(citations: readonly Citation[]): string {
  if (!citations.some(({ url }) => url !== "")) return "";
  const items = citations.map(({ url, title }) => {
    // What is its owner's own keeps its number and says nothing.
    if (url === "") return `<li style="${STYLE.item}">(a document)</li>`;
    const href = safeUrl(url);
    const name = escapeHtml(title ?? url);
    return `<li dir="auto" style="${STYLE.item}">${href === undefined ? name : `<a href="${escapeHtml(href)}">${name}</a>`}</li>`;
  });
  return `<p style="${STYLE.paragraph}">Sources:</p><ol style="${STYLE.list}">${items.join("")}</ol>`;
}
