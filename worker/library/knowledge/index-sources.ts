/** What of an entry can be searched: its text under the entry's own id, each file and artifact under theirs. */
import type { FileFormat } from "#shared/attachment-rules.ts";
import type { Env } from "#worker/platform/env.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";
import { type Indexed, indexFile, indexText } from "#worker/library/passages/index-file.ts";
import type { FileRow } from "./queries.ts";

type Stored = { file: FileRow; ownerId: string; format: FileFormat };

/** Reads a stored file of an entry into the entry's index. Throws where it should be tried again. */
export function indexStored(env: Env, { file, ownerId, format }: Stored): Promise<Indexed> {
  const { id, context_id: indexId, file_name: name, object_key: key, file_size: size } = file;
  return indexFile(env, { indexId, document: { id, name }, ownerId }, { key, format, size });
}

/** Puts an entry's own text into its index; empty text takes it out. */
export async function indexEntry(
  env: Env,
  { id, name, user_id: ownerId, text_content: text }: { id: string; name: string; user_id: string; text_content: string },
): Promise<void> {
  await indexText(env, { indexId: id, document: { id, name }, ownerId }, text);
}

/** True where an entry's index holds its own text as it is, under its name. */
export async function isIndexed(
  env: Env,
  { id, name, text_content: text }: { id: string; name: string; text_content: string },
): Promise<boolean> {
  const index = indexOf(env, id);
  const { documents } = await index.describe();
  const indexed = documents.find((document) => document.id === id);
  if (!indexed) return text.trim() === "";
  if (indexed.name !== name || indexed.characters !== text.length) return false;
  const passages = await index.read({ characters: indexed.characters, documentIds: [id] });
  return passages.map((passage) => passage.text).join("") === text;
}

/** Takes a file or an artifact out of an entry's index. */
export async function forgetDocument(env: Env, entryId: string, id: string): Promise<void> {
  await indexOf(env, entryId).remove(id);
}

export async function dropIndex(env: Env, entryId: string): Promise<void> {
  await indexOf(env, entryId).drop();
}
