/** Markdown in the messaging app's own formatting: bold, italic, struck and fixed text, lists and quotes; tables as lines, links plain. */
import type { RootContent } from "mdast";
import type { Citation } from "#shared/entities/message.ts";
import { parseWithin, REQUEST_UNITS } from "#shared/markdown/bounded-document.ts";
import { TooMuchWork, WorkMeter } from "#shared/markdown/work-meter.ts";
import { type TextDialect, writeText } from "#shared/markdown/written-text.ts";

/** UTF-16 units of an answer that are sent; a longer one is read in the chat. */
const CONTENT_LENGTH = 40_000;
/** UTF-16 units that all formatting may make of it. */
const MADE_LENGTH = 80_000;

const APP: TextDialect = {
  strong: (words) => mark("*", words),
  emphasis: (words) => mark("_", words),
  delete: (words) => mark("~", words),
  inlineCode: (value) => mark("`", value.replaceAll("`", "'").replaceAll("\n", " ")),
  link,
  footnoteCall: (number) => `(${number})`,
  heading: (text) => mark("*", text),
  quote: (text) => text.replaceAll(/^/gm, "> "),
  code: (value) => `\`\`\`\n${value.replaceAll("```", "'''")}\n\`\`\``,
  math: (value) => value,
  item: (sign, text) => sign + text.replaceAll(/\n(?=[^\n])/g, "\n   "),
  table,
  picture: "Picture",
  rule: "———",
  done: "☑",
  open: "☐",
  hasLooseLists: false,
  hasFlatMarks: true,
};

/** An answer as the app shows it, with the sources that it marks below; what is too much work goes as it was written. */
export function toAppText(markdown: string, citations: readonly Citation[] = []): string {
  const cleaned = markdown.toWellFormed().replaceAll(/(?![\n\t])\p{Cc}/gu, "");
  const content = cleaned.slice(0, CONTENT_LENGTH).toWellFormed();
  const cut = content.length < cleaned.length ? "\n\n(The rest is in the chat.)" : "";
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
  const { text, footnotes } = writeText(nodes, APP);
  const notes = footnotes.map((note, index) => `(${index + 1}) ${note}`);
  return [text, ...notes].filter((part) => part !== "").join("\n\n");
}

function sourcesOf(citations: readonly Citation[]): string {
  const sources = citations.flatMap(({ url, title }, index) =>
    url === "" ? [] : `[${index + 1}] ${title === null ? url : `${title}: ${url}`}`,
  );
  return sources.length === 0 ? "" : `\n\nSources:\n${sources.join("\n")}`;
}

/** A row is a few lines: its first cell stands out, the others say what they are. */
function table([head = [], ...body]: readonly (readonly string[])[]): string {
  const lines = body.map(([first = "", ...others]) => {
    const rest = others.flatMap((text, index) => (text === "" ? [] : `${head[index + 1] ? `${head[index + 1]}: ` : ""}${text}`));
    return [mark("*", first), ...rest].filter(Boolean).join("\n");
  });
  return lines.length === 0 ? head.join(", ") : lines.join("\n\n");
}

function link(label: string, url: string | undefined): string {
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
