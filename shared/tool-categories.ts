/** The built-in tool categories of the specification (point 3); a category is listed here once its tools work. */

/** `icon` is a lucide icon's name. */
export type ToolCategory = { id: string; name: string; description: string; icon: string; toolIds: readonly string[]; isAlwaysOn: boolean };

export const TOOL_CATEGORIES = [] as const satisfies readonly ToolCategory[];
