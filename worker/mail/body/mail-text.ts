/** Markdown as the plain text of a letter: lists, quotes and tables as people write them without markup. */
import type { List, PhrasingContent, RootContent, Table } from "mdast";
import type { Citation } from "#shared/entities/message.ts";
import { isLineBreak } from "#shared/markdown/inline-text.ts";
import { collectReferences, type References } from "#shared/markdown/references.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { columnAlignments } from "#shared/markdown/table-data.ts";
import { createBudget, type Budget } from "./budget.ts";

/** Columns of a line; a wider table becomes a list. */
const LINE_WIDTH = 78;
/** What a wide table's head repeats in each row. */
const HEAD_LENGTH = 40;
/** Quotes and lists within each other are indented this often at most, as each level makes every line longer. */
const LEVELS = 6;

type Context = { references: References; numbers: ReadonlyMap<string, number>; budget: Budget; level: number };

/** A letter's markdown as plain text; throws `TooMuchWork` where references would blow it up. */
export function toMailText(nodes: readonly RootContent[], citations: readonly Citation[]): string {
  const references = collectReferences(nodes);
  const numbers = new Map(references.footnotes.map(({ identifier }, index) => [identifier, index + 1]));
  const context: Context = { references, numbers, budget: createBudget(), level: 0 };
  const notes = references.footnotes.map((note, index) => indent(`(${index + 1}) `, blocks(note.children, context)));
  const sources = citations.flatMap(({ url, title }, index) =>
    url === "" ? [] : `[${index + 1}] ${title === null ? url : `${title} <${url}>`}`,
  );
  return [
    blocks(nodes, context),
    ...(notes.length > 0 ? [notes.join("\n")] : []),
    ...(sources.length > 0 ? [`Sources:\n${sources.join("\n")}`] : []),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Every line with `> ` before it, as mail quotes. */
export function quoteLines(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" || line.startsWith(">") ? `>${line}` : `> ${line}`))
    .join("\n");
}

function blocks(nodes: readonly RootContent[], context: Context): string {
  return nodes
    .map((node) => block(node, context))
    .filter((text) => text !== "")
    .join("\n\n");
}

function block(node: RootContent, context: Context): string {
  const inner = { ...context, level: context.level + 1 };
  switch (node.type) {
    case "paragraph":
      return inline(node.children, context);
    case "heading": {
      const text = inline(node.children, context);
      const line = (node.depth === 1 ? "=" : "-").repeat(Math.min(LINE_WIDTH, text.length));
      return node.depth > 2 ? text : `${text}\n${line}`;
    }
    case "list":
      return list(node, inner);
    case "blockquote": {
      const text = blocks(node.children, inner);
      return context.level < LEVELS ? quoteLines(text) : text;
    }
    case "table":
      return table(node, context);
    case "code":
    case "math":
      return node.value.replaceAll(/^(?=.)/gm, "    ");
    case "thematicBreak":
      return "* * *";
    case "html":
      return node.value;
    default:
      return "";
  }
}

function list(node: List, context: Context): string {
  const start = node.start ?? 1;
  const items = node.children.map((item, index) => {
    const sign = node.ordered ? `${start + index}. ` : "- ";
    const box = item.checked == null ? "" : item.checked ? "[x] " : "[ ] ";
    const parts = item.children.map((child) => block(child, context)).filter((text) => text !== "");
    const text = box + parts.join(node.spread || item.spread ? "\n\n" : "\n");
    return context.level <= LEVELS ? indent(sign, text) : sign + text;
  });
  return items.join(node.spread ? "\n\n" : "\n");
}

/** A sign before the first line, and as much room before all others. */
function indent(sign: string, text: string): string {
  return sign + text.replaceAll(/\n(?=[^\n])/g, `\n${" ".repeat(sign.length)}`);
}

function table(node: Table, context: Context): string {
  const rows = node.children.map(({ children }) => children.map((cell) => inline(cell.children, context).replaceAll("\n", " ")));
  const [head = [], ...body] = rows;
  const widths = head.map(() => 0);
  for (const row of rows) {
    for (const [column, text] of row.entries()) if (column < widths.length) widths[column] = Math.max(widths[column] ?? 0, text.length);
  }
  const isNarrow = widths.reduce((sum, width) => sum + width + 2, 0) <= LINE_WIDTH;
  if (!isNarrow) return asList(head, body);
  const alignments = columnAlignments(node);
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => (alignments[column] === "right" ? (row[column] ?? "").padStart(width) : (row[column] ?? "").padEnd(width)))
      .join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...body.map(line)].join("\n");
}

function asList(head: readonly string[], body: readonly (readonly string[])[]): string {
  const names = head.map((name) => name.slice(0, HEAD_LENGTH));
  return body.map((row) => row.map((text, column) => (names[column] ? `${names[column]}: ${text}` : text)).join("\n")).join("\n\n");
}

function inline(nodes: readonly PhrasingContent[], context: Context): string {
  return nodes.map((node) => phrase(node, context)).join("");
}

function phrase(node: PhrasingContent, context: Context): string {
  const { definitions } = context.references;
  switch (node.type) {
    case "text":
    case "inlineMath":
      return node.value;
    case "inlineCode":
      return `\`${node.value}\``;
    case "strong":
      return `*${inline(node.children, context)}*`;
    case "emphasis":
    case "delete":
      return inline(node.children, context);
    case "break":
      return "\n";
    case "html":
      return isLineBreak(node.value) ? "\n" : node.value;
    case "link":
      return link(node.url, inline(node.children, context), context);
    case "linkReference":
      return link(definitions.get(node.identifier)?.url ?? "", inline(node.children, context), context);
    case "image":
      return link(node.url, node.alt || "Image", context);
    case "imageReference":
      return link(definitions.get(node.identifier)?.url ?? "", node.alt || "Image", context);
    case "footnoteReference":
      return ` (${context.numbers.get(node.identifier) ?? "?"})`;
    default:
      return "";
  }
}

function link(url: string, text: string, { budget }: Context): string {
  const href = safeUrl(url);
  if (href === undefined || href === text || href === `mailto:${text}`) return text;
  budget.spend(href.length);
  return text === "" ? href : `${text} <${href}>`;
}
