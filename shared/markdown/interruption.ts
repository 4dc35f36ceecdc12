import type { Nodes, RootContent } from "mdast";

/** Characters of a former block that are worth parsing again as context. */
const longestContext = 1_000;

function isOpenHtml(value: string) {
  if (value.startsWith("<!--")) return !value.includes("-->");
  if (value.startsWith("<?")) return !value.includes("?>");
  if (value.startsWith("<![CDATA[")) return !value.includes("]]>");
  if (/^<![a-z]/i.test(value)) return !value.includes(">");
  if (/^<(script|pre|style|textarea)\b/i.test(value)) return !/<\/(script|pre|style|textarea)>/i.test(value);
  return true;
}

function leavesOpen(node: Nodes): boolean {
  if (node.type === "paragraph") return true;
  if (node.type === "code" || node.type === "math") return !node.data?.closed;
  if (node.type === "html") return isOpenHtml(node.value);
  if (node.type === "table" || node.type === "heading" || !("children" in node)) return false;
  const last = node.children.at(-1);
  return last === undefined || leavesOpen(last);
}

/**
 * The source of the block before, where something in it still waits for more lines: some blocks cannot begin there
 * (an ordered list from 2, an HTML tag), and the parser holds to that inside new containers too. Empty otherwise.
 */
export function contextOf(previous: RootContent | undefined, source: string): string {
  if (!previous || source.length > longestContext || !leavesOpen(previous)) return "";
  // Below a definition a paragraph may be indented like code, which it would be by itself.
  return previous.type === "paragraph" ? source.replace(/^[ \t]+/, "") : source;
}

/** Whether no blank line parts the two nodes; a heading underlined below definitions even begins with them. */
export function isRightBelow(previous: RootContent | undefined, node: RootContent | undefined): boolean {
  return Boolean(previous?.position && node?.position && node.position.start.line <= previous.position.end.line + 1);
}
