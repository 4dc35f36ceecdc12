/** The built-in tool categories of the specification (point 3); a category is listed here once its tools work. */

/** `icon` is a lucide icon's name. */
export type ToolCategory = { id: string; name: string; description: string; icon: string; toolIds: readonly string[]; isAlwaysOn: boolean };

export const TOOL_CATEGORIES = [
  {
    id: "search",
    name: "Web search",
    description: "Searches the web, reads pages and finds images.",
    icon: "globe",
    toolIds: ["parallelWebSearch", "exaCrawl", "exaImageSearch"],
    isAlwaysOn: true,
  },
  {
    id: "todo",
    name: "Todo list",
    description: "Keeps a list of what is to be done in the chat.",
    icon: "list-checks",
    toolIds: ["viewTodoList", "addTodoItem", "updateTodoItem", "deleteTodoItem"],
    isAlwaysOn: true,
  },
  {
    id: "synthesis",
    name: "Synthesis",
    description: "Asks several models the same question and says where they agree and differ.",
    icon: "blend",
    toolIds: ["multiModelSynthesis"],
    isAlwaysOn: false,
  },
  {
    id: "truth-seeker",
    name: "Truth seeker",
    description: "Drafts an answer, has another model check it on the web, and refines it.",
    icon: "badge-check",
    toolIds: ["truthSeekDraft", "truthSeekCritique", "truthSeekRefine"],
    isAlwaysOn: false,
  },
] as const satisfies readonly ToolCategory[];
