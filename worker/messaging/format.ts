/** Markdown in the messaging app's own formatting: bold, italic, struck and fixed text, lists and quotes; tables as lines, links plain. */
import type { List, PhrasingContent, RootContent, Table } from "mdast";
import type { Citation } from "#shared/entities/message.ts";
import { parseWithin, REQUEST_UNITS } from "#shared/markdown/bounded-document.ts";
import { isLineBreak } from "#shared/markdown/inline-text.ts";
import { collectReferences, type References } from "#shared/markdown/references.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { TooMuchWork, WorkMeter } from "#shared/markdown/work-meter.ts";

/** UTF-16 units of an answer that are sent; a longer one is read in the chat. */
const CONTENT_LENGTH = 40_000;
/** UTF-16 units that all formatting may make of it. */
const MADE_LENGTH = 80_000;
const LEVELS = 6;

type Context = { references: References; numbers: ReadonlyMap<string, number>; level: number; isMarked: boolean };

/** An answer as the app shows it, with the sources that it marks below; what is too much work goes as it was written. */
export function toAppText(markdown: string, citations: readonly Citation[] = []): string {
  const whole = markdown.toWellFormed().replaceAll(/(?![\n\t])\p{Cc}/gu, "");
  const content = whole.slice(0, CONTENT_LENGTH).toWellFormed();
  const cut = content.length < whole.length ? "\n\n(The rest is in the chat.)" : "";
  const nodes = parseWithin(content, new WorkMeter(REQUEST_UNITS));
  if (nodes === null) return content + cut;
  try {
    const text = format(nodes) + cut + sourcesOf(citations);
    return text.length > MADE_LENGTH ? content + cut : text;
  } catch (error) {
    if (error instanceof TooMuchWork) return content + cut;
    throw error;
  }
}

function format(nodes: readonly RootContent[]): string {
  const references = collectReferences(nodes);
  const numbers = new Map(references.footnotes.map(({ identifier }, index) => [identifier, index + 1]));
  const context: Context = { references, numbers, level: 0, isMarked: false };
  const notes = references.footnotes.map((note, index) => `(${index + 1}) ${blocks(note.children, context)}`);
  return [blocks(nodes, context), ...notes].filter((part) => part !== "").join("\n\n");
}

function sourcesOf(citations: readonly Citation[]): string {
  const sources = citations.flatMap(({ url, title }, index) =>
    url === "" ? [] : `[${index + 1}] ${title === null ? url : `${title}: ${url}`}`,
  );
  return sources.length === 0 ? "" : `\n\nSources:\n${sources.join("\n")}`;
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
    case "heading":
      return mark("*", inline(node.children, { ...context, isMarked: true }));
    case "list":
      return list(node, inner);
    case "blockquote": {
      const text = blocks(node.children, inner);
      return context.level < LEVELS ? text.replaceAll(/^/gm, "> ") : text;
    }
    case "table":
      return table(node, context);
    case "code":
      return `\`\`\`\n${node.value.replaceAll("```", "'''")}\n\`\`\``;
    case "math":
      return node.value;
    case "thematicBreak":
      return "———";
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
    const box = item.checked == null ? "" : item.checked ? "☑ " : "☐ ";
    const text =
      box +
      item.children
        .map((child) => block(child, context))
        .filter(Boolean)
        .join("\n");
    return context.level <= LEVELS ? sign + text.replaceAll(/\n(?=[^\n])/g, "\n   ") : sign + text;
  });
  return items.join("\n");
}

/** A row is a few lines: its first cell stands out, the others say what they are. */
function table(node: Table, context: Context): string {
  const rows = node.children.map(({ children }) =>
    children.map((cell) => inline(cell.children, { ...context, isMarked: true }).replaceAll("\n", " ")),
  );
  const [head = [], ...body] = rows;
  const lines = body.map(([first = "", ...others]) => {
    const rest = others.flatMap((text, index) => (text === "" ? [] : `${head[index + 1] ? `${head[index + 1]}: ` : ""}${text}`));
    return [mark("*", first), ...rest].filter(Boolean).join("\n");
  });
  return lines.length === 0 ? head.join(", ") : lines.join("\n\n");
}

function inline(nodes: readonly PhrasingContent[], context: Context): string {
  return nodes.map((node) => phrase(node, context)).join("");
}

function phrase(node: PhrasingContent, context: Context): string {
  const { definitions } = context.references;
  const inMark = { ...context, isMarked: true };
  switch (node.type) {
    case "text":
      return node.value;
    case "strong":
      return context.isMarked ? inline(node.children, context) : mark("*", inline(node.children, inMark));
    case "emphasis":
      return context.isMarked ? inline(node.children, context) : mark("_", inline(node.children, inMark));
    case "delete":
      return context.isMarked ? inline(node.children, context) : mark("~", inline(node.children, inMark));
    case "inlineCode":
      return mark("`", node.value.replaceAll("`", "'").replaceAll("\n", " "));
    case "inlineMath":
      return node.value;
    case "break":
      return "\n";
    case "html":
      return isLineBreak(node.value) ? "\n" : node.value;
    case "link":
      return link(inline(node.children, context), node.url);
    case "linkReference":
      return link(inline(node.children, context), definitions.get(node.identifier)?.url ?? "");
    case "image":
      return link(node.alt || "Picture", node.url);
    case "imageReference":
      return link(node.alt || "Picture", definitions.get(node.identifier)?.url ?? "");
    case "footnoteReference":
      return `(${context.numbers.get(node.identifier) ?? "?"})`;
    default:
      return "";
  }
}

function link(label: string, given: string): string {
  const url = safeUrl(given);
  if (!url) return label;
  const plain = url.replace(/^mailto:/, "");
  return label === "" || label === url || label === plain ? plain : `${label} (${plain})`;
}

/** The app reads a mark only where words touch it, on one line. */
function mark(sign: string, text: string): string {
  const [, before = "", words = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  if (words === "" || words.includes("\n")) return text;
  return `${before}${sign}${words}${sign}${after}`;
}
