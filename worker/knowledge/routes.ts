import type { Context, Hono } from "hono";
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
import { AppError } from "../app-error.ts";
import { plainName } from "../attachments/plain-name.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { addArtifact, removeArtifact } from "./change-artifacts.ts";
import { addFile, removeFile } from "./files.ts";
import { addKnowledge, changeKnowledge, findKnowledge, readKnowledge, removeKnowledge } from "./knowledge.ts";
import { noteChanged } from "./note-changed.ts";
import { readAgain } from "./read-again.ts";
import { startScan } from "./read-scan.ts";
import { serveFile } from "./serve-file.ts";

/** Mounts knowledge. */
export function knowledgeRoutes(app: Hono<AppContext>): void {
  serve(app, listKnowledge, async ({ c, caller }) => ({ contexts: await readKnowledge(c.var.db, caller.userId) }));

  serve(app, createKnowledge, async ({ c, caller, body }) => {
    const context = await addKnowledge(c.env, c.var.db, caller.userId, body);
    notifyTabs(c, caller.userId);
    return { context };
  });

  serve(app, getKnowledge, async ({ c, caller, params }) => ({ context: await findKnowledge(c.env, c.var.db, caller.userId, params.id) }));

  serve(app, updateKnowledge, async ({ c, caller, params, body }) => {
    const context = await changeKnowledge(c.env, c.var.db, caller.userId, params.id, body);
    for (const userId of new Set([context.user_id, caller.userId])) notifyTabs(c, userId);
    return { context };
  });

  serve(app, deleteKnowledge, async ({ c, caller, params }) => {
    const ownerId = await removeKnowledge(c.env, c.var.db, caller.userId, params.id);
    for (const userId of new Set([ownerId, caller.userId])) notifyTabs(c, userId);
    return OK;
  });

  serve(app, putKnowledgeFile, async ({ c, caller, params, query }) => {
    const length = Number(c.req.header("content-length") ?? Number.NaN);
    const sent = { body: c.req.raw.body, length: Number.isFinite(length) ? length : null };
    const input = { contextId: params.id, id: params.fileId, userId: caller.userId, name: plainName(query.name) };
    const file = await addFile(c.env, c.var.db, input, sent);
    notifyTabs(c, caller.userId);
    return { file };
  });

  serve(app, getKnowledgeFile, ({ c, caller, params }) => {
    if (!isUuid(params.id) || !isUuid(params.fileId)) throw new AppError("INVALID_INPUT", { message: KNOWLEDGE_PROBLEMS.fileAddress });
    const held = c.req.header("if-none-match");
    return serveFile(c.env, c.var.db, { contextId: params.id, id: params.fileId, userId: caller.userId, held });
  });

  serve(app, deleteKnowledgeFile, async ({ c, caller, params }) => {
    await removeFile(c.env, c.var.db, caller.userId, { contextId: params.id, id: params.fileId });
    notifyTabs(c, caller.userId);
    return OK;
  });

  serve(app, readKnowledgeFile, async ({ c, caller, params }) => {
    const file = await readAgain(c.env, c.var.db, caller.userId, { contextId: params.id, id: params.fileId });
    notifyTabs(c, caller.userId);
    return { file };
  });

  serve(app, readKnowledgeScan, async ({ c, caller, params }) => {
    const file = await startScan(c.env, c.var.db, caller.userId, { contextId: params.id, id: params.fileId });
    notifyTabs(c, caller.userId);
    return { file };
  });

  serve(app, addKnowledgeArtifact, async ({ c, caller, params }) => {
    const artifact = await addArtifact(c.env, c.var.db, caller.userId, { contextId: params.id, artifactId: params.artifactId });
    notifyTabs(c, caller.userId);
    return { artifact };
  });

  serve(app, removeKnowledgeArtifact, async ({ c, caller, params }) => {
    await removeArtifact(c.env, c.var.db, caller.userId, { contextId: params.id, artifactId: params.artifactId });
    notifyTabs(c, caller.userId);
    return OK;
  });
}

/** Other tabs show what this one changed; the answer does not wait for them. */
function notifyTabs(c: Context<AppContext>, userId: string): void {
  c.executionCtx.waitUntil(noteChanged(c.env, userId));
}

const OK = { ok: true } as const;
