import type { ArtifactFile } from "#shared/entities/artifact.ts";
import { ARTIFACT_FILE_BYTES } from "#shared/limits.ts";
import { AppError } from "../app-error.ts";
import { cleanPicture, hasTooManyPixels, tooManyPixels } from "../attachments/clean-picture.ts";
import { plainName } from "../attachments/plain-name.ts";
import { fileNames } from "../attachments/serve-attachment.ts";
import { imageType } from "../clients/image-type.ts";
import { readUpTo } from "../clients/read-up-to.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { withinStorage } from "../usage/storage.ts";
import { pictureKey } from "./bodies.ts";
import { type FileRow, insertFile, selectFile } from "./queries.ts";
import { reachArtifact, reachFor } from "./reach/reach.ts";
import { countStored } from "./storage.ts";

type Upload = { artifactId: string; fileId: string; name: string; request: Request };

/**
 * Keeps a picture of an artifact; the same again answers it as it is. Throws NOT_FOUND, FORBIDDEN, PAYLOAD_TOO_LARGE as soon as there are
 * more than 5 MB, FILE_TOO_LARGE for too many pixels, FILE_TYPE for what is no picture by its own bytes, STORAGE_FULL and CONFLICT.
 */
export async function keepFile(
  env: Env,
  db: Database,
  userId: string,
  { artifactId, fileId, name, request }: Upload,
): Promise<ArtifactFile> {
  const { row } = await reachFor(db, userId, artifactId, "edit");
  const bytes = await receive(request);
  const type = imageType(bytes);
  if (type === null) throw new AppError("FILE_TYPE", { message: "An artifact takes PNG, JPEG, GIF and WebP pictures." });
  if (hasTooManyPixels(type, bytes)) throw tooManyPixels();
  cleanPicture(type, bytes);
  const file = {
    id: fileId,
    artifact_id: artifactId,
    user_id: userId,
    name: plainName(name),
    type,
    size: bytes.byteLength,
    created_at: new Date().toISOString(),
  };
  const known = await selectFile(db, artifactId, fileId);
  const keep = () => keepBytes(env, db, { ownerId: row.user_id, file, bytes, known });
  const arriving = { ownerId: row.user_id, userId, id: fileId, bytes: file.size, of: "this artifact" };
  return known ? keep() : withinStorage(env, arriving, keep);
}

type Arrived = { ownerId: string; file: FileRow; bytes: Uint8Array; known: FileRow | undefined };

async function keepBytes(env: Env, db: Database, { ownerId, file, bytes, known }: Arrived): Promise<ArtifactFile> {
  const { artifact_id: artifactId, id: fileId, type, user_id: userId } = file;
  const kept = known ?? (await insertFile(db, file)) ?? (await selectFile(db, artifactId, fileId));
  if (!kept) throw new AppError("STORAGE_FULL", { message: "There is no room for another picture in this artifact." });
  if (kept.size !== file.size || kept.type !== type || kept.user_id !== userId)
    throw new AppError("CONFLICT", { message: "A file of this id exists already." });
  // Also on a retry, as the bytes may not have come that far the first time; what is there stays.
  const key = pictureKey(artifactId, fileId);
  if ((await env.FILES.head(key)) === null) await env.FILES.put(key, bytes, { httpMetadata: { contentType: type } });
  if (!known) await countStored(env, db, ownerId);
  return toFile(kept);
}

/** A picture for a reader of its artifact; nothing in it can run. Throws NOT_FOUND. */
export async function serveFile(env: Env, db: Database, userId: string, wanted: { artifactId: string; fileId: string }): Promise<Response> {
  const { artifactId, fileId } = wanted;
  await reachArtifact(db, userId, artifactId);
  const file = await selectFile(db, artifactId, fileId);
  const stored = file && (await env.FILES.get(pictureKey(artifactId, fileId)));
  if (!stored) throw new AppError("NOT_FOUND");
  return new Response(stored.body, {
    headers: {
      "content-type": file.type,
      "content-length": String(stored.size),
      "content-disposition": `inline; ${fileNames(file.name)}`,
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "private, max-age=300",
    },
  });
}

async function receive({ body, headers }: Request): Promise<Uint8Array> {
  const tooLarge = () => new AppError("PAYLOAD_TOO_LARGE", { message: "A picture may have up to 5 MB." });
  if (Number(headers.get("content-length") ?? 0) > ARTIFACT_FILE_BYTES) throw tooLarge();
  const bytes = body === null ? new Uint8Array() : await readUpTo(body, ARTIFACT_FILE_BYTES);
  if (bytes === null) throw tooLarge();
  return bytes;
}

function toFile({ user_id: _user, ...file }: FileRow): ArtifactFile {
  return file;
}
