import { isMemoryTool } from "#shared/memory-tools.ts";

/** The tool with which models look into their person's knowledge. */
export const SEARCH_KNOWLEDGE = "searchKnowledge";

/** The tool with which models look into their person's Drive. */
export const SEARCH_DRIVE = "searchIndexedFiles";

const GMAIL = /^gmail(?:Search|Read|Draft|Send)$/;

/** True for a tool that reads or changes what is its person's own: what its calls say is for them alone. */
export function isPrivateTool(id: string): boolean {
  return isMemoryTool(id) || id === SEARCH_KNOWLEDGE || id === SEARCH_DRIVE || GMAIL.test(id);
}

/** True for one of them that never asks: that nobody was asked is then no news. */
export function isQuietTool(id: string): boolean {
  return isPrivateTool(id) && !isMemoryTool(id) && id !== "gmailSend";
}
