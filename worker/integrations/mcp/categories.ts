import type { CategoryState, ToolCategory } from "#shared/entities/tool-category.ts";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type ConnectionRow, selectConnections } from "./queries.ts";
import { connectedToolId, parseTools } from "./served-tool.ts";

export async function connectedCategories(db: Database, userId: string): Promise<ToolCategory[]> {
  return (await selectConnections(db, userId)).map(toCategory);
}

/** A connection's tools as a category; those that are not agreed to are not in it. */
export function toCategory(row: ConnectionRow): ToolCategory {
  const tools = parseTools(row.tools).map(({ name, title, description, saysReadOnly }) => ({
    id: connectedToolId(row.id, name),
    name: title ?? name,
    description,
    asksFirst: !(row.trusted && saysReadOnly),
  }));
  return {
    id: connectionCategory(row.id),
    name: row.name,
    description: row.description || "From your MCP connection",
    icon: "plug",
    toolIds: tools.map(({ id }) => id),
    isAlwaysOn: false,
    isDynamic: true,
    state: stateOf(row),
    tools,
  };
}

export function stateOf({ enabled, state, offers }: Pick<ConnectionRow, "enabled" | "state" | "offers">): CategoryState {
  if (!enabled) return "off";
  return state === "ready" && offers !== null ? "changed" : state;
}
