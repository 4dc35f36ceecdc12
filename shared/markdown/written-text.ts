/** Markdown written out as text, where a dialect has its own signs for what markup says. */
import type { List, PhrasingContent, RootContent, Table } from "mdast";
import { isLineBreak } from "./inline-text.ts";
import { isLooseList } from "./loose-list.ts";
import { collectReferences, type References } from "./references.ts";
import { safeUrl } from "./safe-url.ts";

/** Quotes and lists within each other are indented this often at most, as each level makes every line longer. */
const LEVELS = 6;

/** How a kind of text writes what markdown marks; what stands within comes as it is written already. */
export type TextDialect = {
  strong(markdown: string): string;
  emphasis(markdown: string): string;
  delete(markdown: string): string;
  inlineCode(value: string): string;
  /** `url` is undefined where nobody should follow it. */
  link(label: string, url: string | undefined): string;
  footnoteCall(number: number | "?"): string;
  heading(text: string, depth: number): string;
  quote(text: string): string;
  code(value: string): string;
  math(value: string): string;
  item(sign: string, text: string): string;
  table(rows: readonly (readonly string[])[], node: Table): string;
  /** What a picture is called that has no description. */
  picture: string;
  rule: string;
  done: string;
  open: string;
  /** Whether a list whose items stand apart in markdown has blank lines between them. */
  hasLooseLists: boolean;
  /** Whether a mark, a heading and a table's cell hold no marks of their own. */
  hasFlatMarks: boolean;
};

type Context = { dialect: TextDialect; references: References; numbers: ReadonlyMap<string, number>; level: number; isMarked: boolean };

/** A document's text in a dialect, and that of each of its footnotes, in the order of their numbers. */
export function writeText(nodes: readonly RootContent[], dialect: TextDialect): { text: string; footnotes: string[] } {
  const references = collectReferences(nodes);
  const numbers = new Map(references.footnotes.map(({ identifier }, index) => [identifier, index + 1]));
  const context: Context = { dialect, references, numbers, level: 0, isMarked: false };
  return { text: blocks(nodes, context), footnotes: references.footnotes.map((note) => blocks(note.children, context)) };
}

function blocks(nodes: readonly RootContent[], context: Context): string {
  return joined(nodes, context, "\n\n");
}

function joined(nodes: readonly RootContent[], context: Context, between: string): string {
  return nodes
    .map((node) => block(node, context))
    .filter((text) => text !== "")
    .join(between);
}

function block(node: RootContent, context: Context): string {
  const { dialect, level } = context;
  const inner = { ...context, level: level + 1 };
  switch (node.type) {
    case "paragraph":
      return inline(node.children, context);
    case "heading":
      return dialect.heading(inline(node.children, marked(context)), node.depth);
    case "list":
      return list(node, inner);
    case "blockquote": {
      const text = blocks(node.children, inner);
      return level < LEVELS ? dialect.quote(text) : text;
    }
    case "table": {
      const cells = marked(context);
      const columns = node.children[0]?.children.length;
      const rows = node.children.map((row) =>
        row.children.slice(0, columns).map((cell) => inline(cell.children, cells).replaceAll("\n", " ")),
      );
      return dialect.table(rows, node);
    }
    case "code":
    case "math":
      return dialect[node.type](node.value);
    case "thematicBreak":
      return dialect.rule;
    case "html":
      return node.value;
    default:
      return "";
  }
}

function list(node: List, context: Context): string {
  const { dialect, level } = context;
  const between = isLooseList(node) && dialect.hasLooseLists ? "\n\n" : "\n";
  const items = node.children.map((item, index) => {
    const sign = node.ordered ? `${(node.start ?? 1) + index}. ` : "- ";
    const box = item.checked == null ? "" : `${item.checked ? dialect.done : dialect.open} `;
    const text = box + joined(item.children, context, between);
    return level <= LEVELS ? dialect.item(sign, text) : sign + text;
  });
  return items.join(between);
}

function marked(context: Context): Context {
  return { ...context, isMarked: context.dialect.hasFlatMarks };
}

function inline(nodes: readonly PhrasingContent[], context: Context): string {
  return nodes.map((node) => phrase(node, context)).join("");
}

function phrase(node: PhrasingContent, context: Context): string {
  const { dialect, references, numbers } = context;
  switch (node.type) {
    case "text":
    case "inlineMath":
      return node.value;
    case "inlineCode":
      return dialect.inlineCode(node.value);
    case "strong":
    case "emphasis":
    case "delete": {
      const markdown = inline(node.children, marked(context));
      return context.isMarked ? markdown : dialect[node.type](markdown);
    }
    case "break":
      return "\n";
    case "html":
      return isLineBreak(node.value) ? "\n" : node.value;
    case "link":
      return dialect.link(inline(node.children, context), safeUrl(node.url));
    case "linkReference":
      return dialect.link(inline(node.children, context), safeUrl(references.definitions.get(node.identifier)?.url ?? ""));
    case "image":
      return dialect.link(node.alt || dialect.picture, safeUrl(node.url));
    case "imageReference":
      return dialect.link(node.alt || dialect.picture, safeUrl(references.definitions.get(node.identifier)?.url ?? ""));
    case "footnoteReference":
      return dialect.footnoteCall(numbers.get(node.identifier) ?? "?");
    default:
      return "";
  }
}
