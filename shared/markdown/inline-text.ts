import type { Nodes } from "mdast";

/** The text of a node and all within, without markup. */
export function inlineText(node: Nodes): string {
  if (node.type === "image" || node.type === "imageReference") return node.alt ?? "";
  if (node.type === "break") return "\n";
  if (node.type === "html") return isLineBreak(node.value) ? "\n" : node.value;
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(inlineText).join("") : "";
}

/** Whether raw HTML is `<br>`, the one tag that models use where markdown has nothing (in table cells). */
export function isLineBreak(html: string): boolean {
  return /^<br\s*\/?>$/i.test(html);
}
