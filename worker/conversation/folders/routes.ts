import type { Hono } from "hono";
import type { BulkFilter } from "#shared/contracts/chat/inbox.ts";
import {
  createFolder,
  createTag,
  deleteFolder,
  deleteTag,
  fileChats,
  listFolders,
  restoreFolder,
  tagChats,
  updateFolder,
  updateTag,
} from "#shared/contracts/folders.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import type { AppContext, Env } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import type { ChosenChats, FolderAnswer, FolderInput } from "#worker/conversation/hub/folders.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";

/** Mounts the caller's folders and tags: all of them are in the caller's own hub. */
export function folderRoutes(app: Hono<AppContext>): void {
  serve(app, listFolders, async ({ c, caller }) => {
    const { folders, tags } = await ask(c.env, caller.userId, { kind: "list" });
    return { folders, tags };
  });

  serve(app, createFolder, async ({ c, caller, body }) => {
    const { id, name, parent_id: parentId, workspace } = body;
    return { folder: first((await ask(c.env, caller.userId, { kind: "create", id, name, parentId, workspace })).folders) };
  });

  serve(app, restoreFolder, async ({ c, caller, body }) => ({
    folder: first((await ask(c.env, caller.userId, { kind: "restore", token: body.undo_token })).folders),
  }));

  serve(app, fileChats, async ({ c, caller, body }) => {
    const input: FolderInput = { kind: "file", chats: chosenIn(body), folderId: body.folder_id };
    const { results, changed, refused, undoToken } = await ask(c.env, caller.userId, input);
    return { results, changed, refused, undo_token: undoToken };
  });

  serve(app, updateFolder, async ({ c, caller, params, body }) => {
    const place = { parentId: body.parent_id, beforeId: body.before_id, afterId: body.after_id };
    return { folder: first((await ask(c.env, caller.userId, { kind: "change", id: params.id, name: body.name, place })).folders) };
  });

  serve(app, deleteFolder, async ({ c, caller, params }) => {
    const { undoToken, changed } = await ask(c.env, caller.userId, { kind: "remove", id: params.id });
    if (undoToken === null) throw new AppError("INTERNAL");
    return { undo_token: undoToken, chats: changed };
  });

  serve(app, createTag, async ({ c, caller, body }) => ({
    tag: first((await ask(c.env, caller.userId, { kind: "create-tag", name: body.name, hue: body.hue })).tags),
  }));

  serve(app, tagChats, async ({ c, caller, body }) => {
    const input: FolderInput = { kind: "tag", chats: chosenIn(body), add: body.add, remove: body.remove };
    const { results, changed, refused, tags } = await ask(c.env, caller.userId, input);
    return { results, changed, refused, tags };
  });

  serve(app, updateTag, async ({ c, caller, params, body }) => {
    const input: FolderInput = { kind: "change-tag", id: params.id, name: body.name, hue: body.hue, merge: body.merge };
    return { tag: first((await ask(c.env, caller.userId, input)).tags) };
  });

  serve(app, deleteTag, async ({ c, caller, params }) => {
    await ask(c.env, caller.userId, { kind: "remove-tag", id: params.id });
    return { ok: true as const };
  });
}

function chosenIn(body: { chat_ids: string[] } | { filter: BulkFilter }): ChosenChats {
  return "filter" in body ? body.filter : { ids: body.chat_ids };
}

async function ask(env: Env, userId: string, input: FolderInput): Promise<FolderAnswer> {
  return unwrap<FolderAnswer>(await hubOf(env, userId).folders(input));
}

function first<T>(all: readonly T[]): T {
  const [one] = all;
  if (one === undefined) throw new AppError("INTERNAL");
  return one;
}
