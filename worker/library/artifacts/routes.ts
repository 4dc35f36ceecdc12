import type { Context, Hono } from "hono";
import * as contracts from "#shared/contracts/artifacts.ts";
import type { ArtifactConflict } from "#shared/contracts/artifacts.ts";
import { ERRORS } from "#shared/errors.ts";
import { ARTIFACT_FILE_BYTES } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import { announcedBytes, COPIES, withReservedMemory } from "#worker/platform/http/body-memory.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve } from "#worker/people/callers/serve.ts";
import {
  changeArtifact,
  makeArtifact,
  noteOpened,
  readArtifact,
  readHistory,
  readVersion,
  removeArtifact,
  restoreVersion,
  uploadFile,
} from "./artifacts.ts";
import { listArtifacts } from "./list/list.ts";
import { requireArtifact, requireArtifactRight } from "./access/access.ts";
import { saveArtifact } from "./save.ts";
import { readShares, removeShare, shareArtifact } from "./sharing/sharing.ts";
import { notifyOfArtifact, notifyReaders } from "./notify.ts";
import type { ArtifactFile } from "#shared/entities/artifact.ts";
import { cleanPicture, hasTooManyPixels, tooManyPixels } from "#worker/library/attachments/clean-picture.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { fileNames } from "#worker/library/attachments/serve-attachment.ts";
import { imageType } from "#worker/platform/clients/image-type.ts";
import { readUpTo } from "#worker/platform/clients/read-up-to.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { withinStorage } from "#worker/people/hub/storage.ts";
import { pictureKey } from "./bodies.ts";
import { type FileRow, insertFile, selectFile } from "./queries.ts";
import { reportArtifactStorage } from "./storage.ts";

const OK = { ok: true } as const;

/** Mounts artifacts: all answer ARTIFACTS_OFF where the deployment has none. */
export function artifactRoutes(app: Hono<AppContext>): void {
  const refuseOff = async (c: Context<AppContext>, next: () => Promise<void>) => {
    if (!configOf(c.env).hasArtifacts) throw new AppError("ARTIFACTS_OFF");
    await next();
  };
  app.use("/api/artifacts", refuseOff);
  app.use("/api/artifacts/*", refuseOff);

  serve(app, contracts.listArtifacts, ({ c, caller, query }) => listArtifacts(c.var.db, caller.userId, query));

  serve(app, contracts.createArtifact, async ({ c, caller, body }) => {
    const artifact = await makeArtifact(c.env, c.var.db, { userId: caller.userId }, body);
    notify(c, artifact);
    return { id: artifact.id, artifact };
  });

  serve(app, contracts.uploadMarkdown, async ({ c, caller, body }) => {
    const artifact = await uploadFile(c.env, c.var.db, caller.userId, body);
    notify(c, artifact);
    return { artifact: { id: artifact.id, title: artifact.title }, error: null };
  });

  serve(app, contracts.getArtifact, async ({ c, caller, params }) => ({
    artifact: await readArtifact(c.env, c.var.db, caller.userId, params.id),
  }));

  serve(app, contracts.updateArtifact, async ({ c, caller, params, body }) => {
    const artifact = await changeArtifact(c.var.db, caller.userId, params.id, body);
    if (body.title !== undefined) notify(c, artifact);
    else c.executionCtx.waitUntil(notifyOfArtifact(c.env, [caller.userId], { artifactId: artifact.id, version: artifact.version }));
    return { artifact };
  });

  serve(app, contracts.putArtifactContent, async ({ c, caller, params, body }) => {
    const { content, base_version: base, is_review: isReview = false } = body;
    const input = { content, base, kind: isReview ? ("review" as const) : ("edit" as const) };
    const saved = await saveArtifact(c.env, c.var.db, { userId: caller.userId }, params.id, input);
    if (!saved.isSaved) {
      const { status, message } = ERRORS.ARTIFACT_CONFLICT;
      return c.json({ error: message, code: "ARTIFACT_CONFLICT", current: saved.current } satisfies ArtifactConflict, status);
    }
    if (saved.isNew) notify(c, { id: params.id, version: saved.version });
    return { version: saved.version, updated_at: saved.updatedAt, content: saved.content };
  });

  serve(app, contracts.listArtifactVersions, ({ c, caller, params, query }) => readHistory(c.var.db, caller.userId, params.id, query));

  serve(app, contracts.getArtifactVersion, async ({ c, caller, params, query }) => {
    const wanted = { id: params.id, version: params.version, nearest: query.nearest === "true" };
    return { version: await readVersion(c.env, c.var.db, caller.userId, wanted) };
  });

  serve(app, contracts.restoreArtifact, async ({ c, caller, params, body }) => {
    const input = { id: params.id, version: body.version };
    const { artifact, isNew } = await restoreVersion(c.env, c.var.db, { userId: caller.userId }, input);
    if (isNew) notify(c, artifact);
    return { artifact };
  });

  serve(app, contracts.deleteArtifact, async ({ c, caller, params }) => {
    const readerIds = await removeArtifact(c.env, c.var.db, caller.userId, params.id);
    c.executionCtx.waitUntil(notifyOfArtifact(c.env, readerIds, { artifactId: params.id, version: null }));
    return OK;
  });

  serve(app, contracts.openedArtifact, async ({ c, caller, params, body }) => {
    await noteOpened(c.var.db, caller.userId, params.id, body.version);
    return OK;
  });

  serve(app, contracts.listArtifactShares, ({ c, caller, params }) => readShares(c.var.db, { caller, artifactId: params.id }));

  serve(app, contracts.shareArtifact, async ({ c, caller, params, body }) => {
    const shares = await shareArtifact(c.env, c.var.db, { caller, artifactId: params.id, input: body, origin: ownOrigin(c) });
    c.executionCtx.waitUntil(notifyNewReaders(c, params.id, caller.userId));
    return shares;
  });

  serve(app, contracts.removeArtifactShare, async ({ c, caller, params }) => {
    const place = { caller, artifactId: params.id, of: "user", shareId: params.shareId } as const;
    notifyLost(c, params.id, await removeShare(c.var.db, place));
    return OK;
  });

  serve(app, contracts.removeArtifactTeamShare, async ({ c, caller, params }) => {
    const place = { caller, artifactId: params.id, of: "team", shareId: params.shareId } as const;
    notifyLost(c, params.id, await removeShare(c.var.db, place));
    return OK;
  });

  serve(app, contracts.putArtifactFile, async ({ c, caller, params, query }) => {
    const upload = { artifactId: params.id, fileId: params.fileId, name: query.name, request: c.req.raw };
    const bytes = announcedBytes(c.req.raw, ARTIFACT_FILE_BYTES) * COPIES;
    return { file: await withReservedMemory(bytes, () => keepFile(c.env, c.var.db, caller.userId, upload)) };
  });

  serve(app, contracts.getArtifactFile, ({ c, caller, params }) =>
    serveFile(c.env, c.var.db, caller.userId, { artifactId: params.id, fileId: params.fileId }),
  );
}

/** Others' tabs show what this one changed; the answer does not wait for them. */
function notify(c: Context<AppContext>, { id, version }: { id: string; version: number }): void {
  c.executionCtx.waitUntil(notifyReaders(c.env, c.var.db, { artifactId: id, version }));
}

async function notifyNewReaders(c: Context<AppContext>, artifactId: string, userId: string): Promise<void> {
  const { row } = await requireArtifact(c.var.db, userId, artifactId);
  await notifyReaders(c.env, c.var.db, { artifactId, version: row.version });
}

/** Who still reaches it another way reads it again and finds that. */
function notifyLost(c: Context<AppContext>, artifactId: string, userIds: readonly string[]): void {
  c.executionCtx.waitUntil(notifyOfArtifact(c.env, userIds, { artifactId, version: null }));
}

type Upload = { artifactId: string; fileId: string; name: string; request: Request };

/**
 * Keeps a picture of an artifact; the same again answers it as it is. Throws NOT_FOUND, FORBIDDEN, PAYLOAD_TOO_LARGE as soon as there are
 * more than 5 MB, FILE_TOO_LARGE for too many pixels, FILE_TYPE for what is no picture by its own bytes, STORAGE_FULL and CONFLICT.
 */
async function keepFile(env: Env, db: Database, userId: string, { artifactId, fileId, name, request }: Upload): Promise<ArtifactFile> {
  const { row } = await requireArtifactRight(db, userId, artifactId, "edit");
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
  const existing = known ?? (await insertFile(db, file)) ?? (await selectFile(db, artifactId, fileId));
  if (!existing) throw new AppError("STORAGE_FULL", { message: "There is no room for another picture in this artifact." });
  if (existing.size !== file.size || existing.type !== type || existing.user_id !== userId)
    throw new AppError("CONFLICT", { message: "A file of this id exists already." });
  // Also on a retry, as the bytes may not have come that far the first time; what is there stays.
  const key = pictureKey(artifactId, fileId);
  if ((await env.FILES.head(key)) === null) await env.FILES.put(key, bytes, { httpMetadata: { contentType: type } });
  if (!known) await reportArtifactStorage(env, db, ownerId);
  return toFile(existing);
}

/** A picture for a reader of its artifact; nothing in it can run. Throws NOT_FOUND. */
async function serveFile(env: Env, db: Database, userId: string, wanted: { artifactId: string; fileId: string }): Promise<Response> {
  const { artifactId, fileId } = wanted;
  await requireArtifact(db, userId, artifactId);
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
