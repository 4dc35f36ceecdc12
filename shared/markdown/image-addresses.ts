import type { Nodes } from "mdast";
import { parseWithin, REQUEST_UNITS } from "./bounded-document.ts";
import { collectReferences } from "./references.ts";
import { WorkMeter } from "./work-meter.ts";

/** The addresses of all images in a markdown text, as they stand there; none where the text is too much work to read. */
export function imageAddresses(markdown: string): Set<string> {
  const found = new Set<string>();
  // Most texts have none, and looking is cheaper than parsing.
  const nodes = markdown.includes("![") ? parseWithin(markdown, new WorkMeter(REQUEST_UNITS)) : null;
  if (!nodes) return found;
  const { definitions } = collectReferences(nodes);
  const walk = (node: Nodes) => {
    if (node.type === "image") found.add(node.url);
    if (node.type === "imageReference") found.add(definitions.get(node.identifier)?.url ?? "");
    if ("children" in node) for (const child of node.children) walk(child);
  };
  for (const node of nodes) walk(node);
  found.delete("");
  return found;
}
