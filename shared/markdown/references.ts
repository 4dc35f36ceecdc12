import type { Definition, FootnoteDefinition, Nodes, RootContent } from "mdast";
import type { KnownReferences } from "./known-references.ts";

/** What a document defines, by identifier (the first definition of each wins), and its footnotes in the order of their first call. */
export interface References {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly footnotes: readonly FootnoteDefinition[];
}

interface Found {
  definitions: Definition[];
  footnotes: FootnoteDefinition[];
  calls: string[];
  hasReferences: boolean;
}

const cache = new WeakMap<RootContent, Found>();

function walk(node: Nodes, found: Found) {
  if (node.type === "definition") found.definitions.push(node);
  if (node.type === "footnoteDefinition") found.footnotes.push(node);
  if (node.type === "footnoteReference") found.calls.push(node.identifier);
  if (node.type === "footnoteReference" || node.type === "linkReference" || node.type === "imageReference") found.hasReferences = true;
  if ("children" in node) for (const child of node.children) walk(child, found);
}

function find(node: RootContent): Found {
  const known = cache.get(node);
  if (known) return known;
  const found: Found = { definitions: [], footnotes: [], calls: [], hasReferences: false };
  walk(node, found);
  cache.set(node, found);
  return found;
}

/** Whether a link, image or footnote in this node points to a definition. */
export function hasReferences(node: RootContent): boolean {
  return find(node).hasReferences;
}

/** The identifiers defined anywhere in these nodes. */
export function identifiersIn(nodes: readonly RootContent[]): KnownReferences {
  const found = nodes.map(find);
  return {
    links: found.flatMap(({ definitions }) => definitions.map(({ identifier }) => identifier)),
    footnotes: found.flatMap(({ footnotes }) => footnotes.map(({ identifier }) => identifier)),
  };
}

/** Collects what the nodes define and call; each node is walked once. */
export function collectReferences(nodes: readonly RootContent[]): References {
  const definitions = new Map<string, Definition>();
  const bodies = new Map<string, FootnoteDefinition>();
  const calls = new Set<string>();
  for (const found of nodes.map(find)) {
    for (const definition of found.definitions)
      if (!definitions.has(definition.identifier)) definitions.set(definition.identifier, definition);
    for (const footnote of found.footnotes) if (!bodies.has(footnote.identifier)) bodies.set(footnote.identifier, footnote);
    for (const call of found.calls) calls.add(call);
  }
  return { definitions, footnotes: [...calls].flatMap((identifier) => bodies.get(identifier) ?? []) };
}
