import { bytesOf } from "#shared/artifacts.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { dropBodies, storeBody } from "#worker/library/artifacts/bodies.ts";
import { reportArtifactStorage, refuseBeyondStorage } from "#worker/library/artifacts/storage.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import type { Importing } from "../source.ts";
import { type ImportedArtifact, type ImportedArtifactVersion, insertArtifactWithHistory } from "./queries.ts";
import { isOwn } from "./existed-before.ts";

type Artifact = Omit<ImportedArtifact, "body" | "size" | "isPinned">;
/** What an artifact said, the newest last. */
type VersionText = Omit<ImportedArtifactVersion, "body" | "size" | "restored_from"> & { text: string };

/** Keeps an artifact that came from another product with what it said before, once; answers why not, null where it is here. */
export async function importExternalArtifact(
  importing: Importing,
  artifact: Artifact,
  texts: readonly VersionText[],
): Promise<string | null> {
  const { env, db, user } = importing;
  const { id, version } = artifact;
  if (await isOwn(importing, "artifact", id)) return null;
  const bodies: string[] = [];
  try {
    await refuseBeyondStorage(env, {
      ownerId: user.userId,
      userId: user.userId,
      bytes: texts.reduce((sum, { text }) => sum + bytesOf(text), 0),
    });
    const versions: ImportedArtifactVersion[] = [];
    for (const { text, ...one } of texts) {
      const body = await storeBody(env, id, text);
      bodies.push(body);
      versions.push({ ...one, body, size: bytesOf(text), restored_from: null });
    }
    const latest = versions.at(-1);
    if (!latest) return "It is empty.";
    const own = { ...artifact, body: latest.body, size: latest.size, isPinned: false };
    const isMade = await insertArtifactWithHistory(db, user.userId, { artifact: own, versions });
    if (!isMade) throw new AppError("INVALID_INPUT", { message: "You have as many artifacts as an account may have." });
    await reportArtifactStorage(env, db, user.userId);
    await hubOf(env, user.userId).noteArtifactChanged(id, version);
    return null;
  } catch (cause) {
    await dropBodies(env, id, bodies);
    if (cause instanceof AppError && cause.code !== "INTERNAL") return cause.message;
    throw cause;
  }
}
