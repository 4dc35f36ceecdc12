import * as z from "zod/mini";
import { RESEARCH_STEPS } from "#worker/conversation/turn/research/research-tools.ts";
import type { ToolDefinition } from "#worker/platform/clients/prompt.ts";
import type { ConnectedTool } from "#worker/conversation/tools/connected/connected-tool.ts";
import { toTool } from "#worker/conversation/tools/connected/to-tool.ts";
import { searchKnowledge } from "#worker/conversation/tools/knowledge/search-knowledge.ts";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { toWireName } from "#worker/conversation/tools/wire-names.ts";

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

/** Tools that a turn carries where it has what they need, and no setting of anybody's turns off. */
const TURN_TOOLS: readonly Tool[] = [searchKnowledge];

/** The tool or step of a research with this id, or null for one that doesn't exist (any more). */
export function findTool(tools: readonly Tool[], id: string): Tool | null {
  return [...tools, ...TURN_TOOLS, ...RESEARCH_STEPS].find((tool) => tool.id === id) ?? null;
}

/** Made once for each tool, as every request of every turn carries them. */
const made = new WeakMap<Tool, ToolData>();

/** The tools of these ids among all `tools`, those of connections as the turn holds them; one that is gone is left out. */
export function openToolbox(tools: readonly Tool[], ids: readonly string[], connected: readonly ConnectedTool[] = []): Toolbox {
  const own = new Map(connected.map((tool) => [tool.id, toTool(tool)]));
  const byId = new Map(ids.flatMap((id) => [own.get(id) ?? findTool(tools, id)].flatMap((tool) => (tool ? [[id, tool] as const] : []))));
  return { tools: [...byId.values()].map(toData), find: (id) => byId.get(id) ?? null };
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
