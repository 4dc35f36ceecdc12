import { roomOf } from "../chat-room/stub.ts";
import { readerOf } from "../chats/prepare-turn.ts";
import type { Caller, Env } from "../env.ts";
import { AppError, unwrap } from "../http/app-error.ts";
import { fileKey } from "./attachment-keys.ts";

/** Seconds in which a browser shows a file again without asking; then its reader's rights are looked at anew. */
const FRESH_S = 3600;

/** A file for a reader of its chat: a picture to show, everything else to download, and nothing in it can run. Throws NOT_FOUND. */
export async function serveAttachment(env: Env, caller: Caller, { chatId, id }: { chatId: string; id: string }): Promise<Response> {
  const file = unwrap(await roomOf(env, chatId).findFile(readerOf(caller), id, "read"));
  const stored = file && (await env.FILES.get(fileKey({ chatId, id, objectId: file.objectId })));
  if (!file || !stored) throw new AppError("NOT_FOUND");
  const disposition = file.kind === "image" ? "inline" : "attachment";
  return new Response(stored.body, {
    headers: {
      "content-type": file.type,
      "content-length": String(stored.size),
      "content-disposition": `${disposition}; ${fileNames(file.name)}`,
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": `private, max-age=${FRESH_S}`,
    },
  });
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
