import type { ImportNote } from "#shared/imports/import.ts";
import { conversations } from "../chats/conversations.ts";
import { fieldsIn, listIn, textIn } from "../chats/loose.ts";
import { addCounts, counted, type Importing, type Plan } from "../source.ts";
import { readClaudeConversation } from "./read-conversation.ts";

/** Projects are read whole: their documents are texts. */
const PROJECTS_BYTES = 8 * 1024 * 1024;

/** Exports of Claude: `conversations.json`, with `projects.json` and `memories.json` beside. */
export const claude = conversations({
  id: "claude",
  field: "chat_messages",
  beside: ["users.json", "projects.json", "memories.json"],
  read: readClaudeConversation,
  planMore: noteOthers,
});

/** What else is in the archive does not come, and the report says so. */
async function noteOthers({ archive }: Importing, plan: Plan): Promise<void> {
  const names = [...archive.entries.keys()];
  const isNamed = (file: string) => (name: string) => name === file || name.endsWith(`/${file}`);
  const projects = archive.isZip
    ? names.filter((name) => isNamed("projects.json")(name) || /(?:^|\/)projects\/[^/]+\.json$/.test(name))
    : [];
  for (const name of projects) plan.notes.push(...(await projectNotes(archive, name)));
  const failed = plan.notes.filter(({ kind }) => kind === "project").length;
  plan.counts = addCounts(plan.counts, counted("project", "failed", failed));
  if (archive.isZip && names.some(isNamed("memories.json"))) {
    plan.notes.push({ kind: "memory", title: "memories.json", reason: "Paste what it says at Settings, Memory, Import." });
    plan.counts = addCounts(plan.counts, counted("memory", "failed"));
  }
}

async function projectNotes(archive: Importing["archive"], name: string): Promise<ImportNote[]> {
  const bytes = await archive.read(name, PROJECTS_BYTES);
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));
    return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((value): ImportNote[] => {
      const project = fieldsIn(value);
      if (project.is_starter_project === true) return [];
      const docs = listIn(project.docs).length;
      const what = docs === 0 ? "Its instructions" : `Its instructions and ${docs} ${docs === 1 ? "document" : "documents"}`;
      return [
        {
          kind: "project",
          title: textIn(project.name) ?? "Untitled",
          reason: `${what} did not come: make a persona or knowledge of them.`,
        },
      ];
    });
  } catch {
    return [{ kind: "project", title: name, reason: "This file is damaged." }];
  }
}
