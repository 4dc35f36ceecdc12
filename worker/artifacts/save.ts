import { ARTIFACT_PROBLEMS, bytesOf, previewOf, withLineFeeds } from "#shared/artifacts.ts";
import type { ArtifactVersionDetails } from "#shared/entities/artifact.ts";
import { ARTIFACT_BYTES, ARTIFACT_SESSION_MS } from "#shared/limits.ts";
import { AppError } from "../app-error.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { dropBodies, findBody, readBody, storeBody } from "./bodies.ts";
import { mergeTexts } from "./merge-texts.ts";
import { insertVersion, type Origin, selectNamedVersion, selectVersion, toVersion, type VersionRow } from "./queries.ts";
import { type Reached, reachFor } from "./reach/reach.ts";
import { countStored, refuseBeyondStorage } from "./storage.ts";
import { tidy, tidyAfterSitting } from "./tidy.ts";

/** A save is tried so often where others' come between. */
const TRIES = 8;
/** Old versions are looked for with every so many saves of one sitting, and with each that is none. */
const TIDY_EVERY = 10;

/** Who saves, and which model where one does. */
export type Author = { userId: string; model?: { modelId: string; chatId: string; messageId: string } };

export type Save = {
  content: string;
  /** The version that the text was begun from. */
  base: number;
  kind: "edit" | "restore" | "review" | "model";
  restoredFrom?: number;
};

/** `content` is the text where others' changes came in, else null. */
export type Saved =
  | { isSaved: true; version: number; updatedAt: string; content: string | null; isNew: boolean }
  | { isSaved: false; current: ArtifactVersionDetails };

/**
 * Makes a text an artifact's next version. Where others saved since its base, both are taken together by lines; where they touch the same
 * ones nothing is saved, and the text as it is now is answered. Throws NOT_FOUND, FORBIDDEN, INVALID_INPUT, STORAGE_FULL.
 */
export async function saveArtifact(env: Env, db: Database, author: Author, id: string, save: Save): Promise<Saved> {
  if (bytesOf(withLineFeeds(save.content)) > ARTIFACT_BYTES) throw new AppError("INVALID_INPUT", { message: ARTIFACT_PROBLEMS.long });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const reached = await reachFor(db, author.userId, id, "edit");
    const saved = await trySave(env, db, { author, save, reached });
    if (saved) return saved;
  }
  throw new AppError("STILL_RUNNING", { message: "Others save this artifact all the time. Try again in a moment." });
}

type Attempt = { author: Author; save: Save; reached: Reached };

/** Null where another save came between. */
async function trySave(env: Env, db: Database, { author, save, reached }: Attempt): Promise<Saved | null> {
  const { row } = reached;
  const { id, version: latest } = row;
  if (save.base > latest) throw new AppError("INVALID_INPUT", { message: "The artifact has no such version." });
  const content = save.base === latest ? withLineFeeds(save.content) : await mergeWith(env, db, { save, reached });
  if (content === null) return conflict(env, db, { author, reached });
  const size = bytesOf(content);
  if (size > ARTIFACT_BYTES) throw new AppError("INVALID_INPUT", { message: ARTIFACT_PROBLEMS.long });
  const answered = content === save.content ? null : content;
  const isSame = size === row.size && (await readBody(env, id, row.body)) === content;
  if (isSame) return { isSaved: true, version: latest, updatedAt: row.updated_at, content: answered, isNew: false };

  const before = await selectVersion(db, id, latest);
  const at = new Date().toISOString();
  const replaces = save.kind === "edit" && before !== undefined && isSameSitting(before, author, at);
  const added = size - (replaces ? before.size : 0);
  await refuseBeyondStorage(env, { ownerId: row.user_id, userId: author.userId, bytes: added });
  const body = await storeBody(env, id, content);
  // What a model wrote is reviewed as such, whatever it was taken together with.
  const isMerge = save.base !== latest && save.kind !== "model";
  const origin = originOf(author, save, isMerge ? "merge" : save.kind);
  const next = {
    id,
    version: latest + 1,
    body,
    size,
    at,
    begunAt: replaces ? before.begun_at : at,
    preview: previewOf(content),
    origin,
    replaces,
  };
  if (!(await insertVersion(db, next))) {
    await dropBodies(env, id, [body]);
    return null;
  }
  // The first of its sitting that another one replaces.
  if (replaces && before.created_at === before.begun_at) await tidyAfterSitting(env, id);
  if (!replaces || next.version % TIDY_EVERY === 0) await tidy(env, db, id);
  await countStored(env, db, row.user_id);
  return { isSaved: true, version: next.version, updatedAt: at, content: answered, isNew: true };
}

async function mergeWith(env: Env, db: Database, { save, reached }: Pick<Attempt, "save" | "reached">): Promise<string | null> {
  const { row } = reached;
  const base = await selectVersion(db, row.id, save.base);
  const [begun, current] = await Promise.all([base ? findBody(env, row.id, base.body) : null, readBody(env, row.id, row.body)]);
  // Nothing is left of what it was begun from, so whether the changes touch is unknown.
  if (begun === null) return null;
  return mergeTexts(withLineFeeds(begun), withLineFeeds(save.content), withLineFeeds(current));
}

async function conflict(env: Env, db: Database, { author, reached }: Pick<Attempt, "author" | "reached">): Promise<Saved | null> {
  const { row } = reached;
  const found = await selectNamedVersion(db, row.id, { version: row.version, nearest: false });
  if (!found) return null;
  const content = await findBody(env, row.id, found.version.body);
  if (content === null) return null;
  return { isSaved: false, current: { ...toVersion(found.version, found.author, author.userId), content } };
}

/** An author's saves within ten minutes are one version; a model's, and what was restored or uploaded, stay by themselves. */
function isSameSitting(before: VersionRow, author: Author, at: string): boolean {
  const isTyped = before.kind === "edit" || before.kind === "merge" || (before.kind === "create" && before.size === 0);
  const isWithin = Date.parse(at) - Date.parse(before.begun_at) < ARTIFACT_SESSION_MS;
  return isTyped && isWithin && before.author_id === author.userId && before.model_id === null && author.model === undefined;
}

function originOf({ userId, model }: Author, { restoredFrom = null }: { restoredFrom?: number | null }, kind: Origin["kind"]): Origin {
  return {
    kind,
    author_id: userId,
    model_id: model?.modelId ?? null,
    chat_id: model?.chatId ?? null,
    message_id: model?.messageId ?? null,
    restored_from: restoredFrom,
  };
}
