import type { Hono } from "hono";
import {
  addKnowledgeArtifact,
  createKnowledge,
  deleteKnowledge,
  deleteKnowledgeFile,
  getKnowledge,
  getKnowledgeFile,
  listKnowledge,
  putKnowledgeFile,
  readKnowledgeFile,
  readKnowledgeScan,
  removeKnowledgeArtifact,
  updateKnowledge,
} from "#shared/contracts/library/knowledge.ts";
import { isUuid } from "#shared/uuid.ts";
import { KNOWLEDGE_PROBLEMS } from "#shared/library/knowledge-problems.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { memoryOfFile } from "#worker/library/attachments/receive-file.ts";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import { withReservedMemory } from "#worker/platform/http/body-memory.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { notifyTabs } from "#worker/people/hub/stub.ts";
import { addFile, type FileName, removeFile, requireEditableFile } from "./files.ts";
import { addKnowledge, changeKnowledge, findKnowledge, readKnowledge, removeKnowledge, requireEditableEntry } from "./knowledge.ts";
import { startScan } from "./read-scan.ts";
import type { KnowledgeArtifact, KnowledgeFile } from "#shared/entities/library/knowledge.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { queueRefetch } from "./drive-files.ts";
import { startReading } from "./read-file.ts";
import { toFile } from "./to-knowledge.ts";
import { fileResponse } from "#worker/library/attachments/serve-attachment.ts";
import { insertEntryArtifact, selectFile, selectKnowledgeById } from "./queries.ts";
import { fileUrl } from "./keys.ts";
import { KNOWLEDGE_ARTIFACTS } from "#shared/limits.ts";
import { requireArtifact } from "#worker/library/artifacts/access/access.ts";
import { readEntryArtifacts, withTexts } from "./entry-artifacts.ts";
import { queueArtifactIndexing, detachArtifact } from "#worker/library/knowledge-artifacts/knowledge-artifacts.ts";

/** What is asked for, and the `If-None-Match` of a browser that has it already. */
type Wanted = FileName & { userId: string; held: string | undefined };

/**
 * A file for whoever may use its entry: pictures and PDFs to show, everything else to download, and nothing in it can run. A browser may
 * keep it, but asks each time whether its person may still see it. Throws NOT_FOUND, and INVALID_INPUT for an address that is none of ours.
 */
async function serveFile(env: Env, db: Database, { entryId, id, userId, held }: Wanted): Promise<Response> {
  const [[entry], file] = await Promise.all([selectKnowledgeById(db, userId, [entryId]), selectFile(db, { entryId, id })]);
  if (!entry || !file?.is_stored) throw new AppError("NOT_FOUND", { message: KNOWLEDGE_PROBLEMS.noFile });
  if (file.file_url !== fileUrl({ entryId, id })) throw new AppError("INVALID_INPUT", { message: KNOWLEDGE_PROBLEMS.fileAddress });
  const { object_key: key, file_name: name, file_type: type } = file;
  const response = await fileResponse(env.FILES, {
    key,
    name,
    type,
    isShown: type.startsWith("image/") || type === PDF,
    ifNoneMatch: held,
  });
  if (!response) throw new AppError("NOT_FOUND", { message: KNOWLEDGE_PROBLEMS.noFile });
  return response;
}

const PDF = "application/pdf";

export function knowledgeRoutes(app: Hono<AppContext>): void {
  serve(app, listKnowledge, async ({ c, caller }) => ({ contexts: await readKnowledge(c.var.db, caller.userId) }));

  serve(app, createKnowledge, async ({ c, caller, body }) => {
    const context = await addKnowledge(c.env, c.var.db, caller.userId, body);
    notifyTabs(c, "knowledge", caller.userId);
    return { context };
  });

  serve(app, getKnowledge, async ({ c, caller, params }) => ({ context: await findKnowledge(c.env, c.var.db, caller.userId, params.id) }));

  serve(app, updateKnowledge, async ({ c, caller, params, body }) => {
    const context = await changeKnowledge(c.env, c.var.db, caller.userId, params.id, body);
    notifyTabs(c, "knowledge", context.user_id, caller.userId);
    return { context };
  });

  serve(app, deleteKnowledge, async ({ c, caller, params }) => {
    const ownerId = await removeKnowledge(c.env, c.var.db, caller.userId, params.id);
    notifyTabs(c, "knowledge", ownerId, caller.userId);
    return OK;
  });

  serve(app, putKnowledgeFile, async ({ c, caller, params, query }) => {
    const length = Number(c.req.header("content-length") ?? Number.NaN);
    const sent = { body: c.req.raw.body, length: Number.isFinite(length) ? length : null };
    const input = { entryId: params.id, id: params.fileId, userId: caller.userId, name: plainName(query.name) };
    const file = await withReservedMemory(memoryOfFile({ ...input, ...sent }), () => addFile(c.env, c.var.db, input, sent));
    notifyTabs(c, "knowledge", caller.userId);
    return { file };
  });

  serve(app, getKnowledgeFile, ({ c, caller, params }) => {
    if (!isUuid(params.id) || !isUuid(params.fileId)) throw new AppError("INVALID_INPUT", { message: KNOWLEDGE_PROBLEMS.fileAddress });
    const ifNoneMatch = c.req.header("if-none-match");
    return serveFile(c.env, c.var.db, { entryId: params.id, id: params.fileId, userId: caller.userId, held: ifNoneMatch });
  });

  serve(app, deleteKnowledgeFile, async ({ c, caller, params }) => {
    await removeFile(c.env, c.var.db, caller.userId, { entryId: params.id, id: params.fileId });
    notifyTabs(c, "knowledge", caller.userId);
    return OK;
  });

  serve(app, readKnowledgeFile, async ({ c, caller, params }) => {
    const file = await readAgain(c.env, c.var.db, caller.userId, { entryId: params.id, id: params.fileId });
    notifyTabs(c, "knowledge", caller.userId);
    return { file };
  });

  serve(app, readKnowledgeScan, async ({ c, caller, params }) => {
    const file = await startScan(c.env, c.var.db, caller.userId, { entryId: params.id, id: params.fileId });
    notifyTabs(c, "knowledge", caller.userId);
    return { file };
  });

  serve(app, addKnowledgeArtifact, async ({ c, caller, params }) => {
    const artifact = await addArtifact(c.env, c.var.db, caller.userId, { entryId: params.id, artifactId: params.artifactId });
    notifyTabs(c, "knowledge", caller.userId);
    return { artifact };
  });

  serve(app, removeKnowledgeArtifact, async ({ c, caller, params }) => {
    await removeArtifact(c.env, c.var.db, caller.userId, { entryId: params.id, artifactId: params.artifactId });
    notifyTabs(c, "knowledge", caller.userId);
    return OK;
  });
}

const OK = { ok: true } as const;

/** Has a file of an entry that the user may change read again that could not be read; one that was read, or is being read, stays as it is. Throws NOT_FOUND, FORBIDDEN. */
async function readAgain(env: Env, db: Database, userId: string, name: FileName): Promise<KnowledgeFile> {
  const { file } = await requireEditableFile(db, userId, name);
  if (file.sync_status !== "error") return toFile(file);
  if (file.file_source === "google_drive" && !file.is_stored) return toFile(await queueRefetch(env, db, file));
  if (!file.is_stored) return toFile(file);
  return toFile(await startReading(env, db, file));
}

type Named = { entryId: string; artifactId: string };

/** Adds an artifact that a user may read to an entry that they may change, and has it read. Throws NOT_FOUND, FORBIDDEN, ARTIFACTS_OFF, and INVALID_INPUT where the entry has too many. */
async function addArtifact(env: Env, db: Database, userId: string, name: Named): Promise<KnowledgeArtifact> {
  if (!configOf(env).hasArtifacts) throw new AppError("ARTIFACTS_OFF");
  await requireEditableEntry(db, userId, name.entryId);
  await requireArtifact(db, userId, name.artifactId);
  if (!(await insertEntryArtifact(db, name, new Date().toISOString())))
    throw new AppError("INVALID_INPUT", { message: `A knowledge entry can have ${KNOWLEDGE_ARTIFACTS} artifacts.` });
  await queueArtifactIndexing(env, name);
  const { readable } = await readEntryArtifacts(db, userId, [name.entryId]);
  const [held] = await withTexts(
    env,
    readable.filter(({ artifact_id: id }) => id === name.artifactId),
  );
  if (!held) throw new AppError("NOT_FOUND");
  return held;
}

/** Takes an artifact, which need not be readable any more, out of an entry that the user may change, with all that was read of it. Throws NOT_FOUND, FORBIDDEN. */
async function removeArtifact(env: Env, db: Database, userId: string, name: Named): Promise<void> {
  await requireEditableEntry(db, userId, name.entryId);
  if (!(await detachArtifact(env, db, name))) throw new AppError("NOT_FOUND");
}
