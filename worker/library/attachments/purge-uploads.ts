import * as z from "zod/mini";
import { roomOf } from "./room.ts";
import { abandonChat } from "#worker/people/owned-chats/owned-chats.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { deleteFolder, attachmentFolder } from "./attachment-keys.ts";
import { forgetUploads, listUploadsBefore, type Upload } from "./queries.ts";

/** An upload that no message took within this many milliseconds is given up. */
const UNUSED_MS = 24 * 60 * 60_000;
const PAGE = 100;

const Place = z.object({ id: z.string(), chat_id: z.string(), created_at: z.string() });

/**
 * Deletes a page of the uploads that are a day old and in no message, and the chats that were made for nothing else; what fails is tried
 * again the next night. Answers where to go on, null at their end.
 */
export async function purgeUnusedUploads(env: Env, after: string): Promise<string | null> {
  const db = openDatabase(env.DB);
  const cutoff = new Date(Date.now() - UNUSED_MS).toISOString();
  const last = after === "" ? undefined : Place.parse(JSON.parse(after));
  const uploads = await listUploadsBefore(db, { cutoff, last, limit: PAGE });
  const purged: string[] = [];
  for (const [chatId, ids] of byChat(uploads)) if (await purgeOf(env, { chatId, ids })) purged.push(...ids);
  if (purged.length > 0) await forgetUploads(db, purged);
  return uploads.length < PAGE ? null : JSON.stringify(uploads.at(-1));
}

async function purgeOf(env: Env, { chatId, ids }: { chatId: string; ids: string[] }): Promise<boolean> {
  try {
    const dropped = await roomOf(env, chatId).dropUnused(ids);
    for (const id of dropped.ids) await deleteFolder(env.FILES, attachmentFolder(chatId, id));
    if (dropped.isDeserted) await abandonChat(env, openDatabase(env.DB), chatId);
    return true;
  } catch (cause) {
    // One chat's trouble must not keep the others' files.
    log.error("unused uploads were not deleted", { chatId, cause });
    return false;
  }
}

function byChat(uploads: Upload[]): Map<string, string[]> {
  const chats = new Map<string, string[]>();
  for (const { id, chat_id } of uploads) chats.set(chat_id, [...(chats.get(chat_id) ?? []), id]);
  return chats;
}
