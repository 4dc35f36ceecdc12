/** Knowledge entries: texts with files and artifacts that chats read. */
import type { createKnowledge } from "#shared/contracts/library/knowledge.ts";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import type { Knowledge, KnowledgeArtifact, KnowledgeSummary } from "#shared/entities/library/knowledge.ts";
import { KNOWLEDGE_FILES_SHOWN, KNOWLEDGE_MAX, TEAM_KNOWLEDGE_MAX } from "#shared/limits.ts";
import { type ContentRights, contentRights, membershipOf, type TeamMembership, whoMayChange } from "#shared/sharing/shared-content.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { requireMove, requireTeam } from "#worker/people/teams/teams.ts";
import { requireArtifact } from "#worker/library/artifacts/access/access.ts";
import { countFiles } from "./count-files.ts";
import { type EntryArtifact, readEntryArtifacts, withTexts } from "./entry-artifacts.ts";
import {
  countOwn,
  countTeamKnowledge,
  deleteKnowledgeRow,
  type FileRow,
  insertEntryArtifact,
  insertKnowledge,
  type KnowledgeRow,
  selectDescribedById,
  selectEntry,
  selectFiles,
  selectFirstFiles,
  selectKnowledge,
  selectKnowledgeById,
  updateKnowledgeRow,
} from "./queries.ts";
import { queueArtifactIndexing } from "#worker/library/knowledge-artifacts/knowledge-artifacts.ts";
import { indexEntryNow } from "./index-entry-job.ts";
import { deleteContents, purgeLater } from "./purge-entry.ts";
import { resumeLostReadings } from "./resume-lost.ts";
import { excerptOf, toKnowledge, toSummary } from "./to-knowledge.ts";

const now = () => new Date().toISOString();

/** What a user may use, their own by name, then that of their teams. */
export async function readKnowledge(db: Database, userId: string): Promise<KnowledgeSummary[]> {
  const listed = await selectKnowledge(db, userId);
  const ids = listed.map(({ entry }) => entry.id);
  const [files, held] = await Promise.all([selectFirstFiles(db, ids, KNOWLEDGE_FILES_SHOWN), readEntryArtifacts(db, userId, ids)]);
  const artifacts = Map.groupBy(held.readable, ({ context_id }) => context_id);
  const isOwn = (entry: { user_id: string }) => Number(entry.user_id === userId);
  return listed
    .map((found) =>
      toSummary(found, {
        files: files.filter((file) => file.context_id === found.entry.id),
        artifacts: artifacts.get(found.entry.id) ?? [],
      }),
    )
    .toSorted((a, b) => isOwn(b) - isOwn(a) || a.name.localeCompare(b.name, "en", { sensitivity: "base" }) || (a.id < b.id ? -1 : 1));
}

type NewKnowledge = BodyOf<typeof createKnowledge> & {
  /** Its text came from elsewhere. */
  isUntrusted?: boolean;
};

/** Makes an entry of the user's own. Throws TEAM_NOT_FOUND, TEAM_ADMINS_ONLY, NOT_FOUND for an artifact that is not theirs to read, CONFLICT for an id that is taken, INVALID_INPUT at the limit. */
export async function addKnowledge(
  env: Env,
  db: Database,
  userId: string,
  { id = crypto.randomUUID(), name, text_content = "", team_id: teamId = null, artifact_id: artifactId, isUntrusted = false }: NewKnowledge,
): Promise<Knowledge> {
  if (teamId !== null) await requireTeam(db, teamId, userId);
  if (artifactId !== undefined) await requireArtifact(db, userId, artifactId);
  const at = now();
  const made = await insertKnowledge(db, {
    id,
    user_id: userId,
    team_id: teamId,
    name,
    is_untrusted: isUntrusted,
    created_at: at,
    updated_at: at,
    beginning: excerptOf(text_content),
    text_content,
  });
  if (!made) {
    if ((await countOwn(db, userId)) >= KNOWLEDGE_MAX)
      throw new AppError("INVALID_INPUT", { message: `You have ${KNOWLEDGE_MAX} knowledge entries already.` });
    await refuseFullTeam(db, teamId);
    throw new AppError("CONFLICT", { message: "A knowledge entry of this id exists already." });
  }
  if (text_content !== "") await indexEntryNow(env, made);
  if (artifactId !== undefined) {
    await insertEntryArtifact(db, { entryId: id, artifactId }, at);
    await queueArtifactIndexing(env, { entryId: id, artifactId });
  }
  return toKnowledge(made, { files: [], artifacts: await readArtifacts(env, db, userId, id) });
}

async function readArtifacts(env: Env, db: Database, userId: string, id: string): Promise<KnowledgeArtifact[]> {
  return withTexts(env, (await readEntryArtifacts(db, userId, [id])).readable);
}

/** An entry that the user may use; what of it lost its job is taken up again. Throws NOT_FOUND. */
export async function findKnowledge(env: Env, db: Database, userId: string, id: string): Promise<Knowledge> {
  return showKnowledge(env, db, userId, (await requireKnowledge(db, userId, id)).entry);
}

async function showKnowledge(env: Env, db: Database, userId: string, entry: KnowledgeRow): Promise<Knowledge> {
  const [files, { readable: artifacts }] = await Promise.all([selectFiles(db, [entry.id]), readEntryArtifacts(db, userId, [entry.id])]);
  await resumeLostReadings(env, db, userId, [{ entry, files, artifacts }]);
  return toKnowledge(entry, { files, artifacts: await withTexts(env, artifacts) });
}

type Change = { name?: string | undefined; text_content?: string | undefined; team_id?: string | null | undefined };

/** Changes an entry, or whose it is. Throws NOT_FOUND, FORBIDDEN, TEAM_NOT_FOUND, TEAM_ADMINS_ONLY, INVALID_INPUT where its team has too many. */
export async function changeKnowledge(env: Env, db: Database, userId: string, id: string, wanted: Change): Promise<Knowledge> {
  let entry = await requireEditableEntry(db, userId, id);
  const { name, text_content: text, team_id: teamId } = wanted;
  const isMoved = teamId !== undefined && teamId !== entry.team_id;
  if (isMoved) await requireMove(db, { ownerId: entry.user_id, userId, teamId });
  const isOtherText = text !== undefined && text !== entry.text_content;
  const change = {
    ...(name !== undefined && name !== entry.name && { name }),
    // What its owner changes they answer for, and not for what an admin of its team does.
    ...(isOtherText && { text_content: text, beginning: excerptOf(text), is_untrusted: entry.user_id !== userId }),
    ...(isMoved && { team_id: teamId }),
  };
  if (Object.keys(change).length > 0) {
    const changed = await updateKnowledgeRow(db, entry, { ...change, updated_at: now() });
    if (!changed) {
      // It changed meanwhile, perhaps by the same request sent twice: what is left to change is found anew.
      if ((await requireEditableEntry(db, userId, id)).updated_at !== entry.updated_at) return changeKnowledge(env, db, userId, id, wanted);
      await refuseFullTeam(db, teamId ?? null);
      throw new AppError("NOT_FOUND");
    }
    if (isOtherText || change.name !== undefined) await indexEntryNow(env, changed);
    entry = changed;
  }
  return showKnowledge(env, db, userId, entry);
}

async function refuseFullTeam(db: Database, teamId: string | null): Promise<void> {
  if (teamId === null || (await countTeamKnowledge(db, teamId)) < TEAM_KNOWLEDGE_MAX) return;
  throw new AppError("INVALID_INPUT", { message: `This team has ${TEAM_KNOWLEDGE_MAX} knowledge entries already.` });
}

/** Deletes an entry with its files and all that was read of them; answers whose it was. Throws NOT_FOUND, FORBIDDEN. */
export async function removeKnowledge(env: Env, db: Database, userId: string, id: string): Promise<string> {
  const { entry, rights } = await requireKnowledge(db, userId, id);
  if (!rights.delete)
    throw new AppError("FORBIDDEN", { message: "Only its creator or an admin of its team can delete this knowledge entry." });
  await purgeLater(env, id);
  await deleteKnowledgeRow(db, id);
  await deleteContents(env, id);
  await countFiles(env, db, entry.user_id);
  return entry.user_id;
}

type AccessibleEntry = { entry: KnowledgeRow; rights: ContentRights; team: TeamMembership };

/** An entry that the user may use, and what they may do with it. Throws NOT_FOUND. */
export async function requireKnowledge(db: Database, userId: string, id: string): Promise<AccessibleEntry> {
  const [found] = await selectKnowledgeById(db, userId, [id]);
  if (!found) throw new AppError("NOT_FOUND");
  const { entry } = found;
  const team = membershipOf(found);
  return { entry, rights: contentRights(entry, userId, team), team };
}

/** An entry that the user may change. Throws NOT_FOUND, FORBIDDEN. */
export async function requireEditableEntry(db: Database, userId: string, id: string): Promise<KnowledgeRow> {
  const { entry, rights, team } = await requireKnowledge(db, userId, id);
  if (!rights.edit) throw new AppError("FORBIDDEN", { message: `${whoMayChange(team)} can edit this knowledge entry.` });
  return entry;
}

/** An entry that a turn may read: `files` and `artifacts` in the order in which they were added, and the ids of artifacts that are not its reader's. */
export type UsableKnowledge = {
  entry: Omit<KnowledgeRow, "text_content">;
  files: FileRow[];
  artifacts: EntryArtifact[];
  hiddenIds: string[];
};

/** Those of these entries that a user may use, in the order asked for; others count as absent. */
export async function usableKnowledge(db: Database, userId: string, ids: readonly string[]): Promise<UsableKnowledge[]> {
  if (ids.length === 0) return [];
  const accessible = new Map((await selectDescribedById(db, userId, ids)).map((entry) => [entry.id, entry]));
  const known = [...accessible.keys()];
  const [files, held] = await Promise.all([selectFiles(db, known), readEntryArtifacts(db, userId, known)]);
  return [...new Set(ids)].flatMap((id) => {
    const entry = accessible.get(id);
    if (!entry) return [];
    const isOf = ({ context_id }: { context_id: string }) => context_id === id;
    const hiddenIds = held.hidden.filter(isOf).map(({ artifact_id }) => artifact_id);
    return [{ entry, files: files.filter(isOf), artifacts: held.readable.filter(isOf), hiddenIds }];
  });
}

/** An entry with its stored files, whoever asks. */
export async function readEntryWithFiles(db: Database, id: string): Promise<{ entry: KnowledgeRow; files: FileRow[] } | undefined> {
  const [entry, files] = await Promise.all([selectEntry(db, id), selectFiles(db, [id])]);
  return entry && { entry, files: files.filter(({ is_stored }) => is_stored) };
}
