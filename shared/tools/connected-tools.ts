/** How the tools of a person's own connections are named: `mcp_`, eight digits of the connection's id, and the tool's own name. */
const CATEGORY = /^mcp_[0-9a-f]{8}$/;
const TOOL = /^mcp_[0-9a-f]{8}_(.+)$/;
const ID_PREFIX_LENGTH = 8;

export function connectionCategory(connectionId: string): string {
  return `mcp_${connectionId.slice(0, ID_PREFIX_LENGTH)}`;
}

/** True for the category of somebody's connection. */
export function isConnectionCategory(id: string): boolean {
  return CATEGORY.test(id);
}

/** The category of a tool of somebody's connection; null for a tool of the product. */
export function connectedCategory(toolId: string): string | null {
  return TOOL.test(toolId) ? connectionCategory(toolId.slice("mcp_".length)) : null;
}

/** What a connection's tool calls itself, as far as its id says; null for a tool of the product. */
export function connectedName(toolId: string): string | null {
  return TOOL.exec(toolId)?.[1] ?? null;
}
