import type { Tool } from "./tool.ts";

/** Every tool there is, in the order in which models are told of them. Tests add tools of their own. */
export const TOOLS: Tool[] = [];

/** The tool with this id, or null for one that doesn't exist (any more). */
export function findTool(id: string): Tool | null {
  return TOOLS.find((tool) => tool.id === id) ?? null;
}
