import * as z from "zod/mini";
import type { ToolDefinition } from "../clients/prompt.ts";
import { findTool } from "./registry.ts";
import type { Tool } from "./tool.ts";
import { toWireName } from "./wire-names.ts";

/** Made once for each tool, as every request of every turn carries them. */
const made = new WeakMap<Tool, ToolDefinition>();

/** Tools as models get to know them; an id without a tool is left out. */
export function defineTools(ids: readonly string[]): ToolDefinition[] {
  return ids.flatMap((id) => {
    const tool = findTool(id);
    return tool ? [definitionOf(tool)] : [];
  });
}

function definitionOf(tool: Tool): ToolDefinition {
  const known = made.get(tool);
  if (known) return known;
  const { $schema: _draft, ...parameters } = z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" });
  const definition = { name: toWireName(tool.id), description: tool.description, parameters };
  made.set(tool, definition);
  return definition;
}
