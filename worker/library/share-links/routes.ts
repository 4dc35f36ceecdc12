import type { Context, Hono } from "hono";
import {
  getKnowledgeLink,
  getPersonaLink,
  getPromptLink,
  getSharedKnowledge,
  getSharedPersona,
  getSharedPrompt,
  importSharedKnowledge,
  importSharedPersona,
  importSharedPrompt,
  removeKnowledgeLink,
  removePersonaLink,
  removePromptLink,
  shareKnowledge,
  sharePersona,
  sharePrompt,
} from "#shared/contracts/library/share-links.ts";
import type { SharedKind } from "#shared/sharing/share-links.ts";
import type { AppContext, Caller, Env } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { notifyTabs } from "#worker/people/hub/stub.ts";
import type { TextKind } from "./kinds.ts";
import { describeLink, followLink, importShared, makeLink, openLink, removeLink } from "./share-links.ts";
import type { SharedKnowledge } from "#shared/entities/library/knowledge.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { copyEntry } from "#worker/library/knowledge/copy-entry.ts";
import { readEntryWithFiles } from "#worker/library/knowledge/knowledge.ts";

type OwnCall = { c: Context<AppContext>; caller: Caller; params: { id: string } };
type LinkCall = { c: Context<AppContext>; params: { token: string } };

/** Mounts links to personas, prompts and knowledge, and what they open. */
export function shareLinkRoutes(app: Hono<AppContext>): void {
  const personas = { ...linkCalls("persona"), ...textCalls("persona") };
  serve(app, sharePersona, personas.share);
  serve(app, getPersonaLink, personas.describe);
  serve(app, removePersonaLink, personas.remove);
  serve(app, getSharedPersona, async (call) => ({ prompt: await personas.open(call) }));
  serve(app, importSharedPersona, personas.copy);

  const prompts = { ...linkCalls("prompt"), ...textCalls("prompt") };
  serve(app, sharePrompt, prompts.share);
  serve(app, getPromptLink, prompts.describe);
  serve(app, removePromptLink, prompts.remove);
  serve(app, getSharedPrompt, async (call) => ({ template: await prompts.open(call) }));
  serve(app, importSharedPrompt, prompts.copy);

  const knowledge = linkCalls("knowledge");
  serve(app, shareKnowledge, knowledge.share);
  serve(app, getKnowledgeLink, knowledge.describe);
  serve(app, removeKnowledgeLink, knowledge.remove);
  serve(app, getSharedKnowledge, async ({ c, params }) => ({
    context: await openKnowledge(c.env, c.var.db, { token: params.token, ip: c.var.ip }),
  }));
  serve(app, importSharedKnowledge, async ({ c, caller, params }) => {
    const { id, isNew } = await importKnowledge(c.env, c.var.db, { token: params.token, ip: c.var.ip, userId: caller.userId });
    notifyTabs(c, "knowledge", caller.userId);
    return { id, message: isNew ? "The knowledge was imported." : "You have this knowledge already." };
  });
}

function linkCalls(kind: SharedKind) {
  return {
    share: async ({ c, caller, params }: OwnCall) => {
      const request = { origin: ownOrigin(c), key: c.req.header("idempotency-key") };
      return { shareUrl: await makeLink(c.env, c.var.db, { kind, id: params.id, caller, ...request }) };
    },
    describe: async ({ c, caller, params }: OwnCall) => ({ createdAt: await describeLink(c.var.db, { kind, id: params.id, caller }) }),
    remove: async ({ c, caller, params }: OwnCall) => {
      await removeLink(c.var.db, { kind, id: params.id, caller });
      return OK;
    },
  };
}

function textCalls(kind: TextKind) {
  return {
    open: async ({ c, params }: LinkCall) => {
      const { id: _, ...item } = await openLink(c.env, c.var.db, { kind, token: params.token, ip: c.var.ip });
      return item;
    },
    copy: async ({ c, caller, params }: LinkCall & { caller: Caller }) => {
      const isNew = await importShared(c.env, c.var.db, { kind, token: params.token, ip: c.var.ip, caller });
      notifyTabs(c, kind, caller.userId);
      return { message: isNew ? `The ${kind} was imported.` : `You have this ${kind} already.` };
    },
  };
}

const OK = { ok: true } as const;

type Opening = { token: string; ip: string };

/** The knowledge that a link opens: of its files no more than their names, types and sizes. Throws NOT_FOUND, RATE_LIMITED. */
async function openKnowledge(env: Env, db: Database, opening: Opening): Promise<SharedKnowledge> {
  const { item } = await followLink(env, db, { kind: "knowledge", ...opening }, readEntryWithFiles);
  const files = item.files.map(({ file_name, file_type, file_size }) => ({ file_name, file_type, file_size }));
  const { name, text_content: textContent, created_at: createdAt } = item.entry;
  return { name, textContent, createdAt, filesCount: files.length, files };
}

/** Makes a copy of the knowledge that a link opens, which is the user's own; `isNew` is false where they have it. Throws NOT_FOUND, RATE_LIMITED, STORAGE_FULL, INVALID_INPUT. */
async function importKnowledge(
  env: Env,
  db: Database,
  { userId, ...opening }: Opening & { userId: string },
): Promise<{ id: string; isNew: boolean }> {
  const { item } = await followLink(env, db, { kind: "knowledge", ...opening }, readEntryWithFiles);
  return copyEntry(env, db, { ...item, userId });
}
