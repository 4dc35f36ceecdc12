/** Markdown as the plain text of a letter: lists, quotes and tables as people write them without markup. */
import type { RootContent, Table } from "mdast";
import type { Citation } from "#shared/entities/message.ts";
import { columnAlignments } from "#shared/markdown/table-data.ts";
import { type TextDialect, writeText } from "#shared/markdown/written-text.ts";
import { createBudget, type Budget } from "./budget.ts";

/** Columns of a line; a wider table becomes a list. */
const LINE_WIDTH = 78;
/** What a wide table's head repeats in each row. */
const HEAD_LENGTH = 40;

/** A letter's markdown as plain text; throws `TooMuchWork` where references would blow it up. */
export function toMailText(nodes: readonly RootContent[], citations: readonly Citation[]): string {
  const { text, footnotes } = writeText(nodes, dialectOf(createBudget()));
  const notes = footnotes.map((note, index) => indent(`(${index + 1}) `, note));
  const sources = citations.flatMap(({ url, title }, index) =>
    url === "" ? [] : `[${index + 1}] ${title === null ? url : `${title} <${url}>`}`,
  );
  return [text, ...(notes.length > 0 ? [notes.join("\n")] : []), ...(sources.length > 0 ? [`Sources:\n${sources.join("\n")}`] : [])]
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

function dialectOf(budget: Budget): TextDialect {
  return {
    strong: (words) => `*${words}*`,
    emphasis: (words) => words,
    delete: (words) => words,
    inlineCode: (value) => `\`${value}\``,
    link: (label, url) => link(label, url, budget),
    footnoteCall: (number) => ` (${number})`,
    heading,
    quote: quoteLines,
    code: indentAll,
    math: indentAll,
    item: indent,
    table,
    picture: "Image",
    rule: "* * *",
    done: "[x]",
    open: "[ ]",
    hasLooseLists: true,
    hasFlatMarks: false,
  };
}

function heading(text: string, depth: number): string {
  const line = (depth === 1 ? "=" : "-").repeat(Math.min(LINE_WIDTH, text.length));
  return depth > 2 ? text : `${text}\n${line}`;
}

function indentAll(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}

/** A sign before the first line, and as much room before all others. */
function indent(sign: string, text: string): string {
  return sign + text.replaceAll(/\n(?=[^\n])/g, `\n${" ".repeat(sign.length)}`);
}

function table(rows: readonly (readonly string[])[], node: Table): string {
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

function link(label: string, url: string | undefined, budget: Budget): string {
  if (url === undefined || url === label || url === `mailto:${label}`) return label;
  budget.spend(url.length);
  return label === "" ? url : `${label} <${url}>`;
}
