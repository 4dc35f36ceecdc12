import type { Knowledge } from "#shared/entities/library/knowledge.ts";
import { createDrafts } from "#web/lib/draft-form.ts";

/** An entry as its form holds it. */
export type KnowledgeDraft = { name: string; text: string; teamId: string | null };

export const knowledgeDrafts = createDrafts<KnowledgeDraft>();

/** What a form begins with: an entry's own values, or a text that is to become one. */
export function draftOf(entry: Knowledge | null, from = ""): KnowledgeDraft {
  return entry ? { name: entry.name, text: entry.text_content, teamId: entry.team_id } : { name: "", text: from, teamId: null };
}
