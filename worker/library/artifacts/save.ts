import { ARTIFACT_PROBLEMS, bytesOf, previewOf, withLineFeeds } from "#shared/artifacts.ts";
import type { ArtifactVersionDetails } from "#shared/entities/artifact.ts";
import { ARTIFACT_BYTES, ARTIFACT_SESSION_MS } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { dropBodies, findBody, readBody, storeBody } from "./bodies.ts";
import { insertVersion, type Origin, selectNamedVersion, selectVersion, toVersion, type VersionRow } from "./queries.ts";
import { type AccessibleArtifact, requireArtifactRight } from "./access/access.ts";
import { reportArtifactStorage, refuseBeyondStorage } from "./storage.ts";
import { thinVersions, thinVersionsLater } from "./thin-versions.ts";
import * as z from "zod/mini";
import { loadOnce } from "#worker/platform/load-once.ts";

/** Pairs of equal lines that are compared at most: beyond, two texts full of the same line would take minutes. */
const PAIRS_MAX = 2_000_000;
/** Lines of one text times those of another: beyond, also lines that stand once take too long. */
const LINES_SQUARED_MAX = 50_000_000;

const merging = loadOnce(async () => {
  const { diff3Merge } = await import("node-diff3");
  return { diff3Merge };
});

const Regions = z.array(z.union([z.object({ ok: z.array(z.string()) }), z.object({ conflict: z.unknown() })]));

/** Both changes of one text taken together by lines; null where they touch the same ones, or where that cannot be found out in time. */
async function mergeTexts(base: string, mine: string, theirs: string): Promise<string | null> {
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const all = [base, mine, theirs].map((text) => text.split("\n"));
  const start = commonStart(all);
  const end = commonEnd(all, start);
  const [before = [], one = [], other = []] = all.map((lines) => lines.slice(start, lines.length - end));
  if (before.length * Math.max(one.length, other.length) > LINES_SQUARED_MAX) return null;
  if (pairsOf(before, one) > PAIRS_MAX || pairsOf(before, other) > PAIRS_MAX) return null;
  const { diff3Merge } = await merging();
  const merged: string[] = [];
  for (const region of Regions.parse(diff3Merge(one, before, other, { excludeFalseConflicts: true }))) {
    if (!("ok" in region)) return null;
    for (const line of region.ok) merged.push(line);
  }
  const first = all[0] ?? [];
  return [...first.slice(0, start), ...merged, ...first.slice(first.length - end)].join("\n");
}

function commonStart(all: string[][]): number {
  const [first = [], ...others] = all;
  let start = 0;
  while (start < first.length && others.every((lines) => start < lines.length && lines[start] === first[start])) start += 1;
  return start;
}

function commonEnd(all: string[][], start: number): number {
  const [first = [], ...others] = all;
  const shortest = Math.min(...all.map(({ length }) => length)) - start;
  let end = 0;
  while (end < shortest && others.every((lines) => lines.at(-1 - end) === first.at(-1 - end))) end += 1;
  return end;
}

function pairsOf(first: string[], second: string[]): number {
  const counts = new Map<string, number>();
  for (const line of first) counts.set(line, (counts.get(line) ?? 0) + 1);
  return second.reduce((pairs, line) => pairs + (counts.get(line) ?? 0), 0);
}

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
    const accessible = await requireArtifactRight(db, author.userId, id, "edit");
    const saved = await trySave(env, db, { author, save, accessible });
    if (saved) return saved;
  }
  throw new AppError("STILL_RUNNING", { message: "Others save this artifact all the time. Try again in a moment." });
}

type Attempt = { author: Author; save: Save; accessible: AccessibleArtifact };

/** Null where another save came between. */
async function trySave(env: Env, db: Database, { author, save, accessible }: Attempt): Promise<Saved | null> {
  const { row } = accessible;
  const { id, version: latest } = row;
  if (save.base > latest) throw new AppError("INVALID_INPUT", { message: "The artifact has no such version." });
  const content = save.base === latest ? withLineFeeds(save.content) : await mergeWith(env, db, { save, accessible });
  if (content === null) return conflict(env, db, { author, accessible });
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
  if (replaces && before.created_at === before.begun_at) await thinVersionsLater(env, id);
  if (!replaces || next.version % TIDY_EVERY === 0) await thinVersions(env, db, id);
  await reportArtifactStorage(env, db, row.user_id);
  return { isSaved: true, version: next.version, updatedAt: at, content: answered, isNew: true };
}

async function mergeWith(env: Env, db: Database, { save, accessible }: Pick<Attempt, "save" | "accessible">): Promise<string | null> {
  const { row } = accessible;
  const base = await selectVersion(db, row.id, save.base);
  const [begun, current] = await Promise.all([base ? findBody(env, row.id, base.body) : null, readBody(env, row.id, row.body)]);
  // Nothing is left of what it was begun from, so whether the changes touch is unknown.
  if (begun === null) return null;
  return mergeTexts(withLineFeeds(begun), withLineFeeds(save.content), withLineFeeds(current));
}

async function conflict(env: Env, db: Database, { author, accessible }: Pick<Attempt, "author" | "accessible">): Promise<Saved | null> {
  const { row } = accessible;
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
