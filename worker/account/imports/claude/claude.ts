import type { Archive } from "../archive.ts";
import { conversationSource } from "../chats/conversation-source.ts";
import type { ImportResult, Importing, Plan, PlanItem } from "../source.ts";
import { splitText } from "../split-text.ts";
import { importProject } from "./import-project.ts";
import { importClaudeMemories, memoryFiles } from "./memories.ts";
import { readClaudeConversation } from "./read-conversation.ts";

/** All projects in one file, or a file for each. */
const PROJECTS = /(?:^|\/)projects\.json$/;
const PROJECT = /(?:^|\/)projects\/[^/]+\.json$/;
/** More than any share of items has, in bytes: nothing is imported beside it. */
const ALONE = Number.MAX_SAFE_INTEGER;

/** Exports of Claude: `conversations.json`, with projects and memories beside, or in a ZIP of their own. */
export const claude = conversationSource({
  id: "claude",
  field: "chat_messages",
  beside: ["users.json", "projects.json", "memories.json"],
  alone: {
    says: /"(?:prompt_template|conversations_memory|project_memories)"\s*:/,
    files: (archive) => [...projectFiles(archive), ...memoryFiles(archive)],
  },
  read: readClaudeConversation,
  planFirst,
  importOther,
});

function projectFiles({ isZip, entries }: Archive): string[] {
  return isZip ? [...entries.keys()].filter((name) => PROJECTS.test(name) || PROJECT.test(name)) : [];
}

/** Projects come before the chats that are in them; memories between both, so no chat comes beside a project. */
async function planFirst(importing: Importing, plan: Plan): Promise<void> {
  const { archive } = importing;
  const files = projectFiles(archive);
  for (const name of files) {
    if (PROJECTS.test(name)) await splitText(importing, name, { kind: "project", place: name }, plan);
    else plan.items.push({ kind: "project", name, from: 0, length: archive.entries.get(name) ?? 0, title: name });
  }
  const [memories = ""] = memoryFiles(archive);
  if (files.length > 0 || memories !== "") plan.items.push({ kind: "memory", name: memories, from: 0, length: ALONE, title: memories });
}

function importOther(importing: Importing, item: PlanItem, place: number): Promise<ImportResult> {
  return item.kind === "project" ? importProject(importing, item, place) : importClaudeMemories(importing, item);
}
