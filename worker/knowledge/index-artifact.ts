import * as z from "zod/mini";
import { findBody } from "../artifacts/bodies.ts";
import { isArtifact, reachArtifacts } from "../artifacts/reach/reach.ts";
import { type Database, openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { enqueue, enqueueAll, job } from "../jobs/job.ts";
import { indexText } from "../passages/index-file.ts";
import { dropIndex, forgetDocument } from "./index-sources.ts";
import { noteChanged } from "./note-changed.ts";
import { deleteHeld, markStale, selectEntry, selectHeld, selectHolders, updateHeld } from "./queries.ts";

/** Saves while somebody writes are read together, so many seconds after the first of them. */
const WRITING_SECONDS = 10;
/** A job that has not come after so many milliseconds never will. */
const LOST_MS = 10 * 60_000;
/** Messages of one batch. */
const BATCH = 100;

const Name = z.object({ contextId: z.string(), artifactId: z.string() });

/** Has an artifact that is new in an entry read. */
export async function indexSoon(env: Env, name: z.infer<typeof Name>): Promise<void> {
  await enqueue(env, indexArtifactJob, name);
}

/** Has an artifact that changed read again for each entry that holds it. */
export async function reindexArtifact(env: Env, db: Database, artifactId: string): Promise<void> {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const contextIds = await markStale(db, artifactId, { at, lost: new Date(now - LOST_MS).toISOString() });
  for (let next = 0; next < contextIds.length; next += BATCH) {
    const names = contextIds.slice(next, next + BATCH).map((contextId) => ({ contextId, artifactId }));
    await enqueueAll(env, indexArtifactJob, names, { delaySeconds: WRITING_SECONDS });
  }
}

/** Takes an artifact that was deleted out of all entries. */
export async function forgetArtifact(env: Env, db: Database, artifactId: string): Promise<void> {
  for (const contextId of await selectHolders(db, artifactId)) {
    await forgetDocument(env, contextId, artifactId);
    await deleteHeld(db, { contextId, artifactId });
  }
}

/** Puts an artifact as it is now into an entry's index, while the entry's owner may read it; else nothing of it stays there. */
export const indexArtifactJob = job("knowledge.artifact", Name, async (env, name) => {
  const { contextId, artifactId } = name;
  const db = openDatabase(env.DB);
  const entry = await selectEntry(db, contextId);
  // What changes from here on has a job of its own.
  await updateHeld(db, name, { stale_since: null });
  const [held, reached] = await Promise.all([
    selectHeld(db, name),
    entry ? reachArtifacts(db, entry.user_id, [artifactId]) : Promise.resolve([]),
  ]);
  const row = reached[0]?.row;
  if (!entry) return dropIndex(env, contextId);
  if (!held || !row) {
    await forgetDocument(env, contextId, artifactId);
    // It may be shared again, unless it is gone: one that was added as it was deleted would stay for ever.
    if (held) await ((await isArtifact(db, artifactId)) ? updateHeld(db, name, { indexed_version: null }) : deleteHeld(db, name));
    return;
  }
  const text = await findBody(env, artifactId, row.body);
  if (text === null) throw new Error("A newer version came while this one was read");
  const place = { indexId: contextId, ownerId: entry.user_id, document: { id: artifactId, name: row.title } };
  await indexText(env, place, text);
  await updateHeld(db, name, { indexed_version: row.version });
  // It was taken out while it was read, or its entry was deleted.
  if (!(await selectEntry(db, contextId))) return dropIndex(env, contextId);
  if (!(await selectHeld(db, name))) await forgetDocument(env, contextId, artifactId);
  await noteChanged(env, entry.user_id);
});
