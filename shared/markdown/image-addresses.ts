import type { Nodes } from "mdast";
import { parseMarkdown } from "./parse.ts";
import { collectReferences } from "./references.ts";

/** The addresses of all images in a markdown text, as they stand there. */
export function imageAddresses(markdown: string): Set<string> {
  const found = new Set<string>();
  // Most texts have none, and looking is cheaper than parsing.
  if (!markdown.includes("![")) return found;
  const root = parseMarkdown(markdown);
  const { definitions } = collectReferences(root.children);
  const walk = (node: Nodes) => {
    if (node.type === "image") found.add(node.url);
    if (node.type === "imageReference") found.add(definitions.get(node.identifier)?.url ?? "");
    if ("children" in node) for (const child of node.children) walk(child);
  };
  walk(root);
  found.delete("");
  return found;
}
