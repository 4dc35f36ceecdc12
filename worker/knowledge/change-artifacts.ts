import type { KnowledgeArtifact } from "#shared/entities/library/knowledge.ts";
import { KNOWLEDGE_ARTIFACTS } from "#shared/limits.ts";
import { AppError } from "../app-error.ts";
import { reachArtifact } from "../artifacts/reach/reach.ts";
import type { Database } from "../db/client.ts";
import { configOf, type Env } from "../env.ts";
import { forgetDocument } from "./index-sources.ts";
import { reachEditable } from "./knowledge.ts";
import { readHeld, withTexts } from "./held-artifacts.ts";
import { indexSoon } from "./index-artifact.ts";
import { deleteHeld, insertHeld } from "./queries.ts";

type Named = { contextId: string; artifactId: string };

/** Adds an artifact that a user may read to an entry that they may change, and has it read. Throws NOT_FOUND, FORBIDDEN, ARTIFACTS_OFF, and INVALID_INPUT where the entry has too many. */
export async function addArtifact(env: Env, db: Database, userId: string, name: Named): Promise<KnowledgeArtifact> {
  if (!configOf(env).hasArtifacts) throw new AppError("ARTIFACTS_OFF");
  await reachEditable(db, userId, name.contextId);
  await reachArtifact(db, userId, name.artifactId);
  if (!(await insertHeld(db, name, new Date().toISOString())))
    throw new AppError("INVALID_INPUT", { message: `A knowledge entry can have ${KNOWLEDGE_ARTIFACTS} artifacts.` });
  await indexSoon(env, name);
  const { readable } = await readHeld(db, userId, [name.contextId]);
  const [held] = await withTexts(
    env,
    readable.filter(({ artifact_id: id }) => id === name.artifactId),
  );
  if (!held) throw new AppError("NOT_FOUND");
  return held;
}

/** Takes an artifact, which need not be readable any more, out of an entry that the user may change, with all that was read of it. Throws NOT_FOUND, FORBIDDEN. */
export async function removeArtifact(env: Env, db: Database, userId: string, name: Named): Promise<void> {
  await reachEditable(db, userId, name.contextId);
  // Its row hides what was read of it: it goes last.
  await forgetDocument(env, name.contextId, name.artifactId);
  if (!(await deleteHeld(db, name))) throw new AppError("NOT_FOUND");
}
