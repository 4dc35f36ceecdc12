import { findBody } from "#worker/library/artifacts/bodies.ts";
import { isArtifact, findAccessibleArtifacts } from "#worker/library/artifacts/access/access.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { jobOfKind } from "#worker/platform/jobs/job.ts";
import { INDEX_ARTIFACT, detachArtifact } from "#worker/library/knowledge-artifacts/knowledge-artifacts.ts";
import { indexText } from "#worker/library/passages/index-file.ts";
import { dropIndex, forgetDocument } from "./index-sources.ts";
import { noteContentChange } from "#worker/people/hub/stub.ts";
import { selectEntry, selectEntryArtifact, updateEntryArtifact } from "./queries.ts";

/** Puts an artifact as it is now into an entry's index, while the entry's owner may read it; else nothing of it stays there. */
export const indexArtifactJob = jobOfKind(INDEX_ARTIFACT, async (env, { contextId: entryId, artifactId }) => {
  const name = { entryId, artifactId };
  const db = openDatabase(env.DB);
  const entry = await selectEntry(db, entryId);
  // What changes from here on has a job of its own.
  await updateEntryArtifact(db, name, { stale_since: null });
  const [held, reached] = await Promise.all([
    selectEntryArtifact(db, name),
    entry ? findAccessibleArtifacts(db, entry.user_id, [artifactId]) : Promise.resolve([]),
  ]);
  const row = reached[0]?.row;
  if (!entry) return dropIndex(env, entryId);
  if (!held || !row) {
    await forgetDocument(env, entryId, artifactId);
    // It may be shared again, unless it is gone: one that was added as it was deleted would stay for ever.
    if (held)
      await ((await isArtifact(db, artifactId)) ? updateEntryArtifact(db, name, { indexed_version: null }) : detachArtifact(env, db, name));
    return;
  }
  const text = await findBody(env, artifactId, row.body);
  if (text === null) throw new Error("A newer version came while this one was read");
  const place = { indexId: entryId, ownerId: entry.user_id, document: { id: artifactId, name: row.title } };
  await indexText(env, place, text);
  await updateEntryArtifact(db, name, { indexed_version: row.version });
  // It was taken out while it was read, or its entry was deleted.
  if (!(await selectEntry(db, entryId))) return dropIndex(env, entryId);
  if (!(await selectEntryArtifact(db, name))) await forgetDocument(env, entryId, artifactId);
  await noteContentChange(env, entry.user_id, "knowledge");
});
