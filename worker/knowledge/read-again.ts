import type { KnowledgeFile } from "#shared/entities/library/knowledge.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { fetchAgain } from "./drive/fetch-file.ts";
import { type FileName, reachEditableFile } from "./files.ts";
import { startReading } from "./read-file.ts";
import { toFile } from "./to-knowledge.ts";

/** Has a file of an entry that the user may change read again that could not be read; one that was read, or is being read, stays as it is. Throws NOT_FOUND, FORBIDDEN. */
export async function readAgain(env: Env, db: Database, userId: string, name: FileName): Promise<KnowledgeFile> {
  const { file } = await reachEditableFile(db, userId, name);
  if (file.sync_status !== "error") return toFile(file);
  if (file.file_source === "google_drive" && !file.is_stored) return toFile(await fetchAgain(env, db, file));
  if (!file.is_stored) return toFile(file);
  return toFile(await startReading(env, db, file));
}
