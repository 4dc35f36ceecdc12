/** Copies of entries: at once in name and text, and file by file in the background. */
import * as z from "zod/mini";
import { KNOWLEDGE_MAX } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, enqueueAll, job } from "#worker/platform/jobs/job.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import { countFiles } from "./count-files.ts";
import {
  type CopiedFile,
  countOwn,
  type FileRow,
  insertCopy,
  type KnowledgeRow,
  selectEntry,
  selectFile,
  selectFiles,
  updateFile,
} from "./queries.ts";
import { indexEntryJob } from "./index-entry-job.ts";
import { deleteObject, fileUrl, newKey } from "./keys.ts";
import { noteContentChange } from "#worker/people/hub/stub.ts";
import { failed, startReading } from "./read-file.ts";

type Input = { entry: KnowledgeRow; files: readonly FileRow[]; userId: string };

/** Copies an entry to a user: what it says and holds now is one copy. Throws STORAGE_FULL, and INVALID_INPUT at the limit of what a person may have. */
export async function copyEntry(env: Env, db: Database, { entry, files, userId }: Input): Promise<{ id: string; isNew: boolean }> {
  const named = ["shared", "knowledge", entry.id, userId, entry.name, entry.text_content, ...files.map(({ id }) => id)];
  const id = await uuidOfName(JSON.stringify(named));
  const found = await selectEntry(db, id);
  const isNew = !found;
  if (isNew) {
    const bytes = files.reduce((sum, { file_size: size }) => sum + size, 0);
    await withinStorage(env, { ownerId: userId, userId, id, bytes }, async () => {
      const at = new Date();
      const copy = {
        ...entry,
        id,
        user_id: userId,
        team_id: null,
        is_untrusted: true,
        created_at: at.toISOString(),
        updated_at: at.toISOString(),
      };
      const copied = files.map((file, index) => copyOf(file, { entryId: id, at: new Date(at.getTime() + index) }));
      if (!(await insertCopy(db, copy, copied)) && (await countOwn(db, userId)) >= KNOWLEDGE_MAX)
        throw new AppError("INVALID_INPUT", { message: `You have ${KNOWLEDGE_MAX} knowledge entries already.` });
      await countFiles(env, db, userId);
    });
  }
  // Asked for again, it goes on where an earlier time stopped.
  if (entry.text_content !== "") await enqueue(env, indexEntryJob, { contextId: id });
  const waiting = (await selectFiles(db, [id])).filter(({ is_stored, copied_from }) => !is_stored && copied_from !== null);
  if (waiting.length > 0)
    await enqueueAll(
      env,
      copyFileJob,
      waiting.map((file) => ({ contextId: id, id: file.id })),
    );
  return { id, isNew };
}

function copyOf(file: FileRow, { entryId, at }: { entryId: string; at: Date }): CopiedFile {
  const id = crypto.randomUUID();
  const extension = file.object_key.split(".").at(-1) ?? "";
  return {
    id,
    from: file.id,
    file_url: fileUrl({ entryId, id }),
    object_key: newKey(entryId, extension),
    created_at: at.toISOString(),
  };
}

/** Copies the bytes of one file, and has it read; a repeat finds it done. */
export const copyFileJob = job(
  "knowledge.copy",
  z.object({ contextId: z.string(), id: z.string() }),
  async (env, { contextId: entryId, id }) => {
    const db = openDatabase(env.DB);
    const [file, entry] = await Promise.all([selectFile(db, { entryId, id }), selectEntry(db, entryId)]);
    if (!file || file.is_stored || file.copied_from === null || !entry) return;
    const { object_key: key, copied_from: from, file_type: type } = file;
    const source = await env.FILES.get(from);
    if (source) {
      await env.FILES.put(key, source.body, { httpMetadata: { contentType: type } });
      const stored = await updateFile(db, id, { as: { object_key: key }, change: { is_stored: true, copied_from: null } });
      // It was removed meanwhile.
      if (!stored) return deleteObject(env.FILES, key);
      await startReading(env, db, stored);
    } else {
      const change = { ...failed("This file was removed before it was copied."), file_size: 0, copied_from: null };
      await updateFile(db, id, { as: { object_key: key }, change });
      await countFiles(env, db, entry.user_id);
    }
    await noteContentChange(env, entry.user_id, "knowledge");
  },
);
