import type { Tool } from "./tool.ts";

/** Every tool there is. */
const TOOLS: readonly Tool[] = [];

/** The tool with this id, or null for one that doesn't exist (any more). */
export function findTool(id: string): Tool | null {
  return TOOLS.find((tool) => tool.id === id) ?? null;
}
