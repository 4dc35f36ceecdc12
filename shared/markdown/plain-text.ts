import type { Nodes } from "mdast";
import { countedParse, isTooMuchWork, unitsFor } from "./bounded-document.ts";
import { parseMarkdown } from "./parse.ts";
import { WorkMeter } from "./work-meter.ts";

/** Markup takes up at most about this much more room than its text; more is not parsed for a preview. */
const sourceFactor = 4;
const sourceMinimum = 1_000;

/** Characters that take no time whatever they are: counting would take longer than parsing. */
const SHORT = 1_000;

const blocks = new Set(["root", "blockquote", "list", "listItem", "table", "tableRow", "footnoteDefinition"]);

/** What may be markup: anything but words and quiet punctuation, and a line that begins as a list, a rule or a heading's underline does. */
const markup = /[^\p{L}\p{M}\p{N}\p{Pi}\p{Pf} \n.,;:!?'"()/%–-]|^ *[-\d:]/mu;

function textOf(node: Nodes): string {
  if (node.type === "definition" || node.type === "thematicBreak" || node.type === "footnoteReference") return "";
  if (node.type === "break") return " ";
  if (node.type === "image" || node.type === "imageReference") return node.alt ?? "";
  if (node.type === "html") return node.value.replace(/<[^>]*>?/g, " ");
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join(blocks.has(node.type) ? " " : "") : "";
}

/** A text without its markup, unless reading that takes too much work. */
function stripMarkup(source: string): string {
  try {
    const parse = source.length > SHORT ? countedParse(new WorkMeter(unitsFor(source))) : parseMarkdown;
    return textOf(parse(source));
  } catch (error) {
    if (isTooMuchWork(error)) return source;
    throw error;
  }
}

/**
 * A message's text without its markup on one line, for previews; at most `maxLength` UTF-16 units,
 * the last of them an ellipsis where text was left out.
 */
export function toPlainText(markdown: string, maxLength: number): string {
  const limit = Math.max(sourceMinimum, maxLength * sourceFactor);
  const source = markdown.slice(0, limit);
  // Most messages that people write have none, and parsing takes a hundred times as long as looking.
  const text = (markup.test(source) ? stripMarkup(source) : source).replace(/\s+/g, " ").trim();
  const isComplete = text.length <= maxLength && markdown.length <= limit;
  if (isComplete) return text;
  const cut = text.slice(0, Math.max(0, maxLength - 1)).replace(/[\ud800-\udbff]$/, "");
  return `${cut.trimEnd()}…`;
}
