/** Markdown as escaped HTML: raw HTML is text, images are links, and nothing is loaded from anywhere. */
import type { Nodes, PhrasingContent, RootContent, Table, TableCell } from "mdast";
import type { Citation } from "#shared/entities/message.ts";
import { splitCitations } from "#shared/markdown/citation-marks.ts";
import { directionOf } from "#shared/markdown/direction.ts";
import { isLineBreak } from "#shared/markdown/inline-text.ts";
import { isLooseList } from "#shared/markdown/loose-list.ts";
import { collectReferences, type References } from "#shared/markdown/references.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { columnAlignments, rowsOfEqualLength } from "#shared/markdown/table-data.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";
import type { ParsedMessage } from "./parsed-messages.ts";

/** A formula's TeX as MathML; null where it stays as it was written. */
export type Typeset = (source: string, isDisplay: boolean) => string | null;

type Context = {
  references: References;
  /** Each footnote's number, by its identifier. */
  numbers: ReadonlyMap<string, number>;
  citations: readonly Citation[];
  /** Sets the ids of this text apart from those of others on the page. */
  prefix: string;
  typeset: Typeset;
  /** A heading's level by its depth: the page's outline has no gaps. */
  levels: ReadonlyMap<number, number>;
  /** True inside a link, where nothing is a link of its own. */
  isLink: boolean;
};

/** What a message's text is made with. */
type Made = Pick<Context, "citations" | "prefix" | "typeset">;

/** Headings of a message stand below that of the message. */
const FIRST_LEVEL = 3;

/** A message's markdown as HTML, as its source where it was too much work to parse; `prefix` is unlike that of all other messages of the page. */
export function toHtml({ content, nodes }: Pick<ParsedMessage, "content" | "nodes">, made: Made): string {
  if (nodes === null) return `<p dir="auto" class="raw">${escapeHtml(content)}</p>`;
  const references = collectReferences(nodes);
  const numbers = new Map(references.footnotes.map(({ identifier }, index) => [identifier, index + 1]));
  const context: Context = { ...made, references, numbers, levels: levelsOf(nodes), isLink: false };
  return blocks(nodes, context) + footnotes(context);
}

function levelsOf(nodes: readonly RootContent[]): ReadonlyMap<number, number> {
  const depths = new Set<number>(nodes.flatMap((node) => (node.type === "heading" ? [node.depth] : [])));
  return new Map([...depths].toSorted((a, b) => a - b).map((depth, index) => [depth, Math.min(6, FIRST_LEVEL + index)]));
}

function blocks(nodes: readonly RootContent[], context: Context): string {
  return nodes.map((node) => block(node, context)).join("");
}

function block(node: RootContent, context: Context): string {
  switch (node.type) {
    case "paragraph": {
      const [only] = node.children;
      const isFormula = node.children.length === 1 && only?.type === "inlineMath" && only.data?.display;
      return isFormula ? formula(only.value, context) : `<p dir="auto">${inline(node.children, context)}</p>`;
    }
    case "heading": {
      const level = context.levels.get(node.depth);
      const tag = level === undefined ? "p" : `h${level}`;
      return `<${tag} dir="auto" class="depth-${node.depth}">${inline(node.children, context)}</${tag}>`;
    }
    case "list": {
      const tag = node.ordered ? "ol" : "ul";
      const start = node.ordered && node.start !== 1 && node.start ? ` start="${node.start}"` : "";
      const place = { context, isTight: !isLooseList(node) };
      return `<${tag}${direction(node)}${start}>${node.children.map((item) => listItem(item, place)).join("")}</${tag}>`;
    }
    case "blockquote":
      return `<blockquote${direction(node)}>${blocks(node.children, context)}</blockquote>`;
    case "table":
      return table(node, context);
    case "code":
      return code(node.value, node.lang ?? "");
    case "math":
      return formula(node.value, context);
    case "thematicBreak":
      return "<hr>";
    case "html":
      return `<p dir="auto" class="raw">${escapeHtml(node.value)}</p>`;
    default:
      return "";
  }
}

function direction(node: Nodes): string {
  const dir = directionOf(node);
  return dir === undefined ? "" : ` dir="${dir}"`;
}

type Place = { context: Context; isTight: boolean };

function listItem(item: Extract<RootContent, { type: "listItem" }>, { context, isTight }: Place): string {
  const box =
    item.checked == null
      ? ""
      : `<span class="box" role="img" aria-label="${item.checked ? "Done" : "Open"}">${item.checked ? "☑" : "☐"}</span> `;
  const body = item.children
    .map((node) =>
      isTight && node.type === "paragraph" ? `<div dir="auto">${inline(node.children, context)}</div>` : block(node, context),
    )
    .join("");
  return `<li${box === "" ? "" : ' class="task"'}>${box}${body}</li>`;
}

function table(node: Table, context: Context): string {
  const alignments = columnAlignments(node);
  const [head] = node.children;
  const classOf = (column: number) => (alignments[column] && alignments[column] !== "left" ? ` class="${alignments[column]}"` : "");
  const cells = (row: readonly TableCell[], tag: string) =>
    row.map((cell, column) => `<${tag} dir="auto"${classOf(column)}>${inline(cell.children, context)}</${tag.split(" ")[0]}>`).join("");
  const gaps = (empty: readonly number[]) => empty.map((span) => (span === 1 ? "<td></td>" : `<td colspan="${span}"></td>`)).join("");
  const body = rowsOfEqualLength(node)
    .map((row) => `<tr>${cells(row.cells, "td")}${gaps(row.empty)}</tr>`)
    .join("");
  return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table${direction(node)}><thead><tr>${cells(head?.children ?? [], 'th scope="col"')}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function code(value: string, language: string): string {
  const label = language === "" ? "" : `<figcaption>${escapeHtml(language)}</figcaption>`;
  return `<figure class="code">${label}<pre tabindex="0" aria-label="Code"><code>${escapeHtml(value)}</code></pre></figure>`;
}

/** A formula that has a line of its own. */
function formula(source: string, { typeset }: Context): string {
  const math = typeset(source, true);
  return math === null ? code(source, "math") : `<div class="wide formula" tabindex="0" role="group" aria-label="Formula">${math}</div>`;
}

function inline(nodes: readonly PhrasingContent[], context: Context): string {
  return nodes.map((node) => phrase(node, context)).join("");
}

function phrase(node: PhrasingContent, context: Context): string {
  const { definitions } = context.references;
  switch (node.type) {
    case "text":
      return context.isLink ? escapeHtml(node.value) : cited(node.value, context);
    case "strong":
      return `<strong>${inline(node.children, context)}</strong>`;
    case "emphasis":
      return `<em>${inline(node.children, context)}</em>`;
    case "delete":
      return `<del>${inline(node.children, context)}</del>`;
    case "inlineMath":
      return context.typeset(node.value, node.data?.display === true) ?? `<code>${escapeHtml(node.value)}</code>`;
    case "inlineCode":
      return `<code>${escapeHtml(node.value)}</code>`;
    case "break":
      return "<br>";
    case "html":
      return isLineBreak(node.value) ? "<br>" : escapeHtml(node.value);
    case "link":
      return link(node.url, inline(node.children, { ...context, isLink: true }), context);
    case "linkReference":
      return link(definitions.get(node.identifier)?.url ?? "", inline(node.children, { ...context, isLink: true }), context);
    case "image":
      return link(node.url, escapeHtml(node.alt || "Image"), context);
    case "imageReference":
      return link(definitions.get(node.identifier)?.url ?? "", escapeHtml(node.alt || "Image"), context);
    case "footnoteReference":
      return footnoteCall(node.identifier, context);
    default:
      return "";
  }
}

/** A link to elsewhere; an address that may not be a link leaves its text alone. */
function link(url: string, text: string, { isLink }: Context): string {
  const href = isLink ? undefined : safeUrl(url);
  return href === undefined ? text : `<a href="${escapeHtml(href)}" ${ELSEWHERE}>${text}</a>`;
}

/** What every link to elsewhere carries. */
export const ELSEWHERE = 'target="_blank" rel="nofollow noopener noreferrer"';

function cited(text: string, { citations }: Context): string {
  if (citations.length === 0) return escapeHtml(text);
  return splitCitations(text, citations.length)
    .map((part) => {
      if ("text" in part) return escapeHtml(part.text);
      const { url = "", title } = citations[part.number - 1] ?? {};
      const href = safeUrl(url);
      const name = `Source ${part.number}: ${title ?? url}`;
      return href === undefined
        ? ""
        : `<a class="mark" href="${escapeHtml(href)}" aria-label="${escapeHtml(name)}" ${ELSEWHERE}>${part.number}</a>`;
    })
    .join("");
}

function footnoteCall(identifier: string, { numbers, prefix }: Context): string {
  const number = numbers.get(identifier);
  if (number === undefined) return "";
  return `<sup><a href="#${prefix}note-${number}" aria-label="Footnote ${number}">${number}</a></sup>`;
}

function footnotes(context: Context): string {
  const { footnotes: notes } = context.references;
  if (notes.length === 0) return "";
  const items = notes.map((note, index) => `<li id="${context.prefix}note-${index + 1}">${blocks(note.children, context)}</li>`);
  return `<ol class="notes" aria-label="Footnotes">${items.join("")}</ol>`;
}
