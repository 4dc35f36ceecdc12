import * as z from "zod/mini";
import { bytesOf, previewOf, UNTITLED_ARTIFACT } from "#shared/artifacts.ts";
import { ARTIFACT_BYTES, ARTIFACT_FILE_BYTES, ARTIFACT_FILES_MAX, ATTACHMENT_NAME_LENGTH } from "#shared/limits.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { dropBodies, pictureKey, storeBody } from "#worker/library/artifacts/bodies.ts";
import { reportArtifactStorage, refuseBeyondStorage } from "#worker/library/artifacts/storage.ts";
import { cleanPicture, hasTooManyPixels, tooManyPixels } from "#worker/library/attachments/clean-picture.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { imageType } from "#worker/platform/clients/image-type.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { addCounts, type ImportResult, counted, type Importing } from "../source.ts";
import { type ImportedArtifactVersion, insertPicture, insertArtifactWithHistory, selectOwnIds } from "./queries.ts";
import { existedBefore } from "./existed-before.ts";
import { readJson, readText } from "./read-json.ts";
import type { IdMapping } from "./id-mapping.ts";

/** Versions that come along: the newest, as the history of a busy year is thinned out anyway. */
const VERSIONS = 150;

const Version = z.object({
  version: z.int().check(z.minimum(1)),
  kind: z.enum(["create", "edit", "merge", "restore", "model", "review"]),
  model_id: z.nullable(z.string()),
  restored_from: z.nullable(z.int()),
  created_at: z.iso.datetime(),
  path: z.string(),
});
const Picture = z.object({ id: z.string(), name: z.string(), path: z.string(), created_at: z.iso.datetime() });
const Exported = z.object({
  id: z.string(),
  title: z.string().check(z.maxLength(1_000)),
  version: z.int().check(z.minimum(1)),
  is_pinned: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  path: z.nullable(z.string()),
  versions: z.array(Version),
  pictures: z.array(Picture),
});
type Exported = z.infer<typeof Exported>;

/** Imports one artifact with what it said before and its pictures, once. */
export async function importArtifact(
  importing: Importing,
  { name, place }: { name: string; place: number },
  ids: IdMapping,
): Promise<ImportResult> {
  const { env, db, archive, user } = importing;
  const exported = await readJson(archive, name, Exported);
  const failed = (title: string, reason: string): ImportResult => ({
    counts: counted("artifact", "failed"),
    notes: [{ kind: "artifact", title, reason }],
  });
  if (!exported) return failed(name, "It is damaged.");
  const id = await ids.idOf("artifact", exported.id);
  const isKnown = (await selectOwnIds(db, user.userId, "artifact")).has(id);
  const isHere = await existedBefore(importing, place, { kind: "artifact", key: `${ids.accountId} ${exported.id}`, isKnown });
  if (isKnown) return { counts: counted("artifact", isHere ? "here" : "came"), notes: [] };
  const title = exported.title.trim() || UNTITLED_ARTIFACT;
  const text = exported.path === null ? null : await readText(archive, exported.path, ARTIFACT_BYTES);
  if (text === null) return failed(title, "Its text is not in the export.");
  const size = bytesOf(text);
  const bodies: string[] = [];
  try {
    await refuseBeyondStorage(env, { ownerId: user.userId, userId: user.userId, bytes: size });
    const pictureIds = await Promise.all(exported.pictures.map((one) => ids.idOf("artifact", `picture ${one.id}`)));
    const renewed = (given: string) => relinked(given, { exported, id, pictureIds });
    const store = async (given: string) => {
      const body = await storeBody(env, id, renewed(given));
      bodies.push(body);
      return body;
    };
    const versions = await storeVersions(importing, { exported, store, renewed });
    const latest = versions.find(({ version }) => version === exported.version);
    const body = latest?.body ?? (await store(text));
    const { version, created_at, updated_at, is_pinned: isPinned } = exported;
    const own = { id, title, preview: previewOf(text), version, body, size: latest?.size ?? size, created_at, updated_at, isPinned };
    const stored = versions.reduce((sum, one) => sum + one.size, latest ? 0 : size);
    await refuseBeyondStorage(env, { ownerId: user.userId, userId: user.userId, bytes: stored });
    const first: ImportedArtifactVersion = {
      version,
      kind: "create",
      body,
      size,
      model_id: null,
      restored_from: null,
      created_at: updated_at,
    };
    const isMade = await insertArtifactWithHistory(db, user.userId, { artifact: own, versions: latest ? versions : [...versions, first] });
    if (!isMade) throw new AppError("INVALID_INPUT", { message: "You have as many artifacts as an account may have." });
    const lost = await importPictures(importing, { exported, id, pictureIds, stored });
    await reportArtifactStorage(env, db, user.userId);
    await hubOf(env, user.userId).noteArtifactChanged(id, version);
    const notes: ImportNote[] = lost.map((file) => ({ kind: "file", title: `${file.name} (${title})`, reason: file.reason }));
    const pictures = addCounts(counted("file", "came", exported.pictures.length - lost.length), counted("file", "failed", lost.length));
    return { counts: addCounts(counted("artifact", "came"), pictures), notes };
  } catch (cause) {
    await dropBodies(env, id, bodies);
    if (cause instanceof AppError && cause.code !== "INTERNAL") return failed(title, cause.message);
    throw cause;
  }
}

type Texts = { exported: Exported; store: (text: string) => Promise<string>; renewed: (text: string) => string };

async function storeVersions({ archive }: Importing, { exported, store, renewed }: Texts): Promise<ImportedArtifactVersion[]> {
  const storedVersions: ImportedArtifactVersion[] = [];
  for (const { path, version, kind, model_id, restored_from, created_at } of exported.versions.slice(-VERSIONS)) {
    const text = version <= exported.version ? await readText(archive, path, ARTIFACT_BYTES) : null;
    if (text === null) continue;
    storedVersions.push({ version, kind, body: await store(text), size: bytesOf(renewed(text)), model_id, restored_from, created_at });
  }
  return storedVersions;
}

type Places = { exported: Exported; id: string; pictureIds: readonly string[] };

/** A text whose pictures are those that it has here. */
function relinked(text: string, { exported, id, pictureIds }: Places): string {
  return exported.pictures.reduce(
    (said, picture, index) =>
      said.replaceAll(`/api/artifacts/${exported.id}/files/${picture.id}`, `/api/artifacts/${id}/files/${pictureIds[index]}`),
    text,
  );
}

type LostPicture = { name: string; reason: string };

/** Stores pictures without where they were taken, as far as there is room beside what is not counted yet; answers which did not come, and why. */
async function importPictures(
  { env, db, archive, user: { userId }, rejected }: Importing,
  { exported, id, pictureIds, stored }: Places & { stored: number },
): Promise<LostPicture[]> {
  const lost: LostPicture[] = [];
  let added = stored;
  for (const [index, { name, path, created_at }] of exported.pictures.entries()) {
    const fileId = pictureIds[index];
    const known = rejected.get(path);
    const bytes = known === undefined && index < ARTIFACT_FILES_MAX ? await archive.read(path, ARTIFACT_FILE_BYTES) : null;
    const type = bytes && imageType(bytes);
    if (!bytes || !type || fileId === undefined || hasTooManyPixels(type, bytes)) {
      const reason = known ?? (type ? tooManyPixels().message : "It is not in the export, or no picture.");
      if (bytes && !archive.isExhausted()) rejected.set(path, reason);
      lost.push({ name, reason });
      continue;
    }
    try {
      await refuseBeyondStorage(env, { ownerId: userId, userId, bytes: added + bytes.byteLength });
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== "STORAGE_FULL") throw cause;
      lost.push({ name, reason: cause.message });
      continue;
    }
    added += bytes.byteLength;
    cleanPicture(type, bytes);
    await env.FILES.put(pictureKey(id, fileId), bytes, { httpMetadata: { contentType: type } });
    await insertPicture(db, {
      userId,
      id: fileId,
      artifact_id: id,
      name: plainName(name).slice(0, ATTACHMENT_NAME_LENGTH),
      type,
      size: bytes.byteLength,
      created_at,
    });
  }
  return lost;
}
