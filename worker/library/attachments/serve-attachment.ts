import { roomOf } from "./room.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { fileKey } from "./attachment-keys.ts";

/** What is asked for, and the `If-None-Match` of a browser that has it already. */
type Wanted = { chatId: string; id: string; ifNoneMatch: string | undefined };

/**
 * A file for a reader of its chat: a picture to show, everything else to download, and nothing in it can run. A browser may keep it,
 * but asks each time whether its person may still see it. Throws NOT_FOUND.
 */
export async function serveAttachment(env: Env, caller: Caller, { chatId, id, ifNoneMatch }: Wanted): Promise<Response> {
  const file = unwrap(await roomOf(env, chatId).findFile(readerOf(caller), id, "read"));
  if (!file) throw new AppError("NOT_FOUND");
  const { name, type, objectId, kind } = file;
  const key = fileKey({ chatId, id, objectId });
  const response = await fileResponse(env.FILES, { key, name, type, isShown: kind === "image", ifNoneMatch });
  if (!response) throw new AppError("NOT_FOUND");
  return response;
}

/** A stored file; `isShown` unless it is only to be downloaded. */
type StoredFile = { key: string; name: string; type: string; isShown: boolean; ifNoneMatch: string | undefined };

/** A stored file's bytes, in which nothing can run, or word that the browser has them; null where they are gone. */
export async function fileResponse(files: R2Bucket, { key, name, type, isShown, ifNoneMatch }: StoredFile): Promise<Response | null> {
  // What is stored under one key never changes.
  const cacheHeaders = { etag: `"${key.split("/").at(-1)}"`, "cache-control": "private, no-cache" };
  if (matchesEtag(ifNoneMatch, cacheHeaders.etag)) return new Response(null, { status: 304, headers: cacheHeaders });
  const stored = await files.get(key);
  if (!stored) return null;
  return new Response(stored.body, {
    headers: {
      "content-type": type.startsWith("text/") ? `${type}; charset=utf-8` : type,
      "content-length": String(stored.size),
      "content-disposition": `${isShown ? "inline" : "attachment"}; ${fileNames(name)}`,
      "content-security-policy": isShown && type === PDF ? VIEWED : `${VIEWED}; sandbox`,
      "x-content-type-options": "nosniff",
      ...cacheHeaders,
    },
  });
}

const PDF = "application/pdf";
/** A browser's own viewer of PDFs does not work in a sandbox, and runs none of their scripts in our name. */
const VIEWED = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** True where an `If-None-Match` names this tag, weakened on its way or not (RFC 9110, 13.1.2). */
function matchesEtag(header: string | undefined, etag: string): boolean {
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
