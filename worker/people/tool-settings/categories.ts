import { ARTIFACT_TOOLS, SEARCH_DRIVE } from "#shared/private-tools.ts";
import type { ToolCategory } from "#shared/entities/tool-category.ts";

/** The tools of the code agent, which are there for who connected it or wants them shown. */
export const CODEGEN_TOOLS = [
  "codegenCreateAgentRun",
  "codegenGetAgentRun",
  "codegenGetOrganizations",
  "codegenGetUsers",
  "codegenGetUser",
] as const;

/** The tools of a person's own Gmail, which are there for who connected it. */
export const GMAIL_TOOLS = ["gmailSearch", "gmailRead", "gmailDraft", "gmailSend"] as const;

/** The built-in categories of the specification (point 3), in their order; one is listed here once its tools work. */
export const TOOL_CATEGORIES: readonly ToolCategory[] = [
  {
    id: "search",
    name: "Web search",
    description: "Searches the web, reads pages and finds images.",
    icon: "globe",
    toolIds: ["parallelWebSearch", "exaCrawl", "exaImageSearch"],
    isAlwaysOn: true,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "todo",
    name: "Todo list",
    description: "Keeps a list of what is to be done in the chat.",
    icon: "list-checks",
    toolIds: ["viewTodoList", "addTodoItem", "updateTodoItem", "deleteTodoItem"],
    isAlwaysOn: true,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "artifacts",
    name: "Artifacts",
    description: "Writes and edits documents that you keep.",
    icon: "notebook-pen",
    toolIds: [...ARTIFACT_TOOLS],
    isAlwaysOn: true,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "email",
    name: "Email",
    description: "Reads this chat's mail and writes mail that you approve.",
    icon: "mail",
    toolIds: ["listEmails", "sendEmail", "remindIfUnanswered"],
    isAlwaysOn: false,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "gmail",
    name: "Gmail",
    description: "Reads your own mail, keeps drafts and sends what you approve.",
    icon: "inbox",
    toolIds: [...GMAIL_TOOLS],
    isAlwaysOn: false,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "schedules",
    name: "Schedules",
    description: "Has messages sent at times of their own, once you approve it.",
    icon: "clock",
    toolIds: ["createSchedule", "listSchedules", "cancelSchedule"],
    isAlwaysOn: false,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "phone",
    name: "Phone",
    description: "Calls a number that you approve and brings back what was said.",
    icon: "phone",
    toolIds: ["blandCall"],
    isAlwaysOn: false,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "synthesis",
    name: "Synthesis",
    description: "Asks several models and says where they agree and differ.",
    icon: "blend",
    toolIds: ["multiModelSynthesis"],
    isAlwaysOn: false,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "truth-seeker",
    name: "Truth seeker",
    description: "Drafts an answer, has another model check it, and refines it.",
    icon: "badge-check",
    toolIds: ["truthSeekDraft", "truthSeekCritique", "truthSeekRefine"],
    isAlwaysOn: false,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "google-drive",
    name: "Google Drive",
    description: "Finds what your files in Google Drive say, once indexed.",
    icon: "hard-drive",
    toolIds: [SEARCH_DRIVE],
    isAlwaysOn: false,
    isDynamic: false,
    state: "ready",
  },
  {
    id: "codegen",
    name: "Codegen",
    description: "Has a code agent work on your repositories and reports back.",
    icon: "bot",
    toolIds: [...CODEGEN_TOOLS],
    isAlwaysOn: false,
    isDynamic: false,
    state: "ready",
  },
];

export function categoryOf(toolId: string): ToolCategory | null {
  return TOOL_CATEGORIES.find(({ toolIds }) => toolIds.includes(toolId)) ?? null;
}
