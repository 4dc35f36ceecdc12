import type { PrivateSource } from "#worker/conversation/tools/private-source.ts";

/**
 * What of its person's own a tool's calls read or change: turns that may not use it have no such tool, and see nothing of its earlier
 * calls; nor does anybody else. Null for the chat's own. Tests add tools of their own.
 */
export const TOOL_SOURCES: Record<string, PrivateSource | null> = {
  parallelWebSearch: null,
  exaCrawl: null,
  exaImageSearch: null,
  viewTodoList: null,
  addTodoItem: null,
  updateTodoItem: null,
  deleteTodoItem: null,
  listArtifacts: "artifacts",
  readArtifact: "artifacts",
  createArtifact: "artifacts",
  copyArtifact: "artifacts",
  editArtifact: "artifacts",
  searchArtifacts: "artifacts",
  listEmails: "mail",
  sendEmail: null,
  remindIfUnanswered: "mail",
  gmailSearch: "accounts",
  gmailRead: "accounts",
  gmailDraft: "accounts",
  gmailSend: "accounts",
  blandCall: null,
  codegenCreateAgentRun: "accounts",
  codegenGetAgentRun: "accounts",
  codegenGetOrganizations: "accounts",
  codegenGetUsers: "accounts",
  codegenGetUser: "accounts",
  multiModelSynthesis: null,
  truthSeekDraft: null,
  truthSeekCritique: null,
  truthSeekRefine: null,
  searchIndexedFiles: "accounts",
  searchKnowledge: "knowledge",
  saveMemory: "memory",
  forgetMemory: "memory",
  createSchedule: "accounts",
  listSchedules: "accounts",
  cancelSchedule: "accounts",
  researchPlan: null,
  researchQuestion: null,
  researchGaps: null,
};

/** What of its person's own a tool's calls use; what is not the product's own, or gone, is theirs. */
export function sourceOf(id: string): PrivateSource | null {
  return Object.hasOwn(TOOL_SOURCES, id) ? (TOOL_SOURCES[id] ?? null) : "accounts";
}

/** True for a tool that a turn with these sources may call, and whose earlier calls it may read. */
export function mayUse(sources: readonly PrivateSource[], id: string): boolean {
  const source = sourceOf(id);
  return source === null || sources.includes(source);
}

/** True for a tool whose calls say what is its person's own: they are for them alone, where a chat's mails are for whoever sees mail there. */
export function isPrivateTool(id: string): boolean {
  const source = sourceOf(id);
  return source !== null && source !== "mail";
}
