import type { SharedKnowledge } from "#shared/entities/library/knowledge.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { copyEntry } from "../knowledge/copy-entry.ts";
import { readWhole } from "../knowledge/knowledge.ts";
import { followLink } from "./share-links.ts";

type Opening = { token: string; ip: string };

/** The knowledge that a link opens: of its files no more than their names, types and sizes. Throws NOT_FOUND, RATE_LIMITED. */
export async function openKnowledge(env: Env, db: Database, opening: Opening): Promise<SharedKnowledge> {
  const { item } = await followLink(env, db, { kind: "knowledge", ...opening }, readWhole);
  const files = item.files.map(({ file_name, file_type, file_size }) => ({ file_name, file_type, file_size }));
  const { name, text_content: textContent, created_at: createdAt } = item.entry;
  return { name, textContent, createdAt, filesCount: files.length, files };
}

/** Makes a copy of the knowledge that a link opens, which is the user's own; `isNew` is false where they have it. Throws NOT_FOUND, RATE_LIMITED, STORAGE_FULL, INVALID_INPUT. */
export async function importKnowledge(
  env: Env,
  db: Database,
  { userId, ...opening }: Opening & { userId: string },
): Promise<{ id: string; isNew: boolean }> {
  const { item } = await followLink(env, db, { kind: "knowledge", ...opening }, readWhole);
  return copyEntry(env, db, { ...item, userId });
}
