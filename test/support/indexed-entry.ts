import { env } from "cloudflare:workers";
import { openDatabase } from "#worker/platform/db/client.ts";
import { addKnowledge } from "#worker/library/knowledge/knowledge.ts";
import { indexText } from "#worker/library/passages/index-file.ts";
import type { Person } from "./worker.ts";

type Wanted = { name: string; documents: Record<string, string>; teamId?: string; text?: string };

/** A knowledge entry of a person's with documents by name, each readable as a file that was read; the entry's own text besides. */
export async function addEntry(by: Person, { name, documents, teamId, text = "" }: Wanted): Promise<string> {
  const { id } = await addKnowledge(env, openDatabase(env.DB), by.user.id, {
    name,
    text_content: text,
    ...(teamId && { team_id: teamId }),
  });
  const place = { indexId: id, ownerId: by.user.id };
  for (const [document, content] of Object.entries(documents)) {
    await indexText(env, { ...place, document: { id: crypto.randomUUID(), name: document } }, content);
  }
  return id;
}
