import * as z from "zod/mini";
import type { ToolDefinition } from "../clients/prompt.ts";
import type { ConnectedTool } from "./connected/connected-tool.ts";
import { toTool } from "./connected/to-tool.ts";
import { findTool } from "./registry.ts";
import type { Tool } from "./tool.ts";
import { toWireName } from "./wire-names.ts";

/** A tool as data: what a model, a person who approves it, and a turn's rules have to know of it, wherever it comes from. */
export type ToolData = {
  id: string;
  /** What models call it. */
  wireName: string;
  /** What the model reads about it. */
  description: string;
  /** JSON schema of its input. */
  schema: Record<string, unknown>;
  actsOutside: boolean;
  readsOutside: boolean;
  /** `builtin`, or what else runs it. */
  source: string;
};

/** The tools that one turn carries. */
export type Toolbox = {
  /** In the order in which its model reads them. */
  tools: readonly ToolData[];
  /** What runs a tool of this turn; null for any other. */
  find(id: string): Tool | null;
};

/** Made once for each tool, as every request of every turn carries them. */
const made = new WeakMap<Tool, ToolData>();

/** The tools of these ids, those of connections as the turn holds them; one that is gone is left out. */
export function openToolbox(ids: readonly string[], connected: readonly ConnectedTool[] = []): Toolbox {
  const own = new Map(connected.map((tool) => [tool.id, toTool(tool)]));
  const held = new Map(ids.flatMap((id) => [own.get(id) ?? findTool(id)].flatMap((tool) => (tool ? [[id, tool] as const] : []))));
  return { tools: [...held.values()].map(toData), find: (id) => held.get(id) ?? null };
}

/** What a model is told of a tool. */
export function toDefinition({ wireName, description, schema }: ToolData): ToolDefinition {
  return { name: wireName, description, parameters: schema };
}

function toData(tool: Tool): ToolData {
  const known = made.get(tool);
  if (known) return known;
  const { id, description, actsOutside, readsOutside: reads, source = "builtin" } = tool;
  const data = { id, wireName: toWireName(id), description, schema: schemaOf(tool), actsOutside, readsOutside: reads, source };
  made.set(tool, data);
  return data;
}

function schemaOf({ schema, input }: Tool): Record<string, unknown> {
  if (schema) return schema;
  const { $schema: _draft, ...own } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  return own;
}
