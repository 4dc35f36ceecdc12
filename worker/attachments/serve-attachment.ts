import { roomOf } from "../chat-room/stub.ts";
import { readerOf } from "../chats/prepare-turn.ts";
import type { Caller, Env } from "../env.ts";
import { AppError, unwrap } from "../app-error.ts";
import { fileKey } from "./attachment-keys.ts";

/** What is asked for, and the `If-None-Match` of a browser that has it already. */
type Wanted = { chatId: string; id: string; held: string | undefined };

/**
 * A file for a reader of its chat: a picture to show, everything else to download, and nothing in it can run. A browser may keep it,
 * but asks each time whether its person may still see it. Throws NOT_FOUND.
 */
export async function serveAttachment(env: Env, caller: Caller, { chatId, id, held }: Wanted): Promise<Response> {
  const file = unwrap(await roomOf(env, chatId).findFile(readerOf(caller), id, "read"));
  if (!file) throw new AppError("NOT_FOUND");
  // What is stored under one key never changes.
  const kept = { etag: `"${file.objectId}"`, "cache-control": "private, no-cache" };
  if (isHeld(held, kept.etag)) return new Response(null, { status: 304, headers: kept });
  const stored = await env.FILES.get(fileKey({ chatId, id, objectId: file.objectId }));
  if (!stored) throw new AppError("NOT_FOUND");
  const disposition = file.kind === "image" ? "inline" : "attachment";
  return new Response(stored.body, {
    headers: {
      "content-type": file.type,
      "content-length": String(stored.size),
      "content-disposition": `${disposition}; ${fileNames(file.name)}`,
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      "x-content-type-options": "nosniff",
      ...kept,
    },
  });
}

/** True where an `If-None-Match` names this tag, weakened on its way or not (RFC 9110, 13.1.2). */
function isHeld(header: string | undefined, etag: string): boolean {
  return header !== undefined && header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** A name for the header, plain for old readers and in full for others (RFC 6266, RFC 8187). */
export function fileNames(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%/]/g, "_");
  const full = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${full}`;
}
