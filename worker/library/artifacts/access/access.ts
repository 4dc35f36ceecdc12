/** Who may do what with which artifact: the one place where that is found out, for pages, models and search alike. */
import { artifactRights } from "#shared/artifacts.ts";
import type { Artifact, ArtifactLevel } from "#shared/entities/artifact.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type ArtifactRow, type AccessRow, selectAccessible } from "./queries.ts";

export { isArtifact, selectReaderIds as readReaderIds } from "./queries.ts";
export type { ArtifactRow } from "./queries.ts";

/** An artifact as one reader has it: its row, what they may do, and what lists show them. */
export type AccessibleArtifact = { row: ArtifactRow; level: ArtifactLevel; shown: Artifact };

/** Those of these artifacts that a user may read, in the order of `ids`. */
export async function findAccessibleArtifacts(db: Database, userId: string, ids: readonly string[]): Promise<AccessibleArtifact[]> {
  if (ids.length === 0) return [];
  const ways = Map.groupBy(await selectAccessible(db, userId, ids), ({ artifact }) => artifact.id);
  return ids.flatMap((id) => {
    const rows = ways.get(id);
    return rows ? [toAccessible(rows, userId)] : [];
  });
}

/** An artifact that a user may read. Throws NOT_FOUND. */
export async function requireArtifact(db: Database, userId: string, id: string): Promise<AccessibleArtifact> {
  const [accessible] = await findAccessibleArtifacts(db, userId, [id]);
  if (!accessible) throw new AppError("NOT_FOUND");
  return accessible;
}

/** An artifact with which a user may do this. Throws NOT_FOUND, FORBIDDEN. */
export async function requireArtifactRight(
  db: Database,
  userId: string,
  id: string,
  right: "edit" | "share" | "delete",
): Promise<AccessibleArtifact> {
  const accessible = await requireArtifact(db, userId, id);
  if (!artifactRights(accessible.level)[right]) throw new AppError("FORBIDDEN", { message: REFUSALS[right] });
  return accessible;
}

const REFUSALS = {
  edit: "You can read this artifact, and not change it.",
  share: "Only its owner can share this artifact.",
  delete: "Only its owner can delete this artifact.",
};

function toAccessible(ways: AccessRow[], userId: string): AccessibleArtifact {
  const [first] = ways;
  if (!first) throw new AppError("NOT_FOUND");
  const { artifact: row, isShared, isPinned, seenVersion, reviewedVersion, level: ownLevel } = first;
  const isOwner = row.user_id === userId;
  const level = isOwner ? "owner" : ways.some(writes) ? "editor" : "viewer";
  const byTeam = ways.find(({ teamLevel }) => teamLevel !== null);
  const isTeamShare = !isOwner && ownLevel === null;
  const sharer = isTeamShare
    ? { name: byTeam?.teamSharerName ?? null, email: byTeam?.teamSharerEmail ?? null }
    : { name: first.sharerName, email: first.sharerEmail };
  const { id, title, preview, version, size, created_at, updated_at } = row;
  const shown: Artifact = {
    id,
    title,
    content_preview: preview,
    created_at,
    updated_at,
    is_pinned: isPinned ?? false,
    is_owner: isOwner,
    permission_level: level,
    shared_by_name: isOwner ? null : sharer.name,
    shared_by_email: isOwner ? null : sharer.email,
    is_team_share: isTeamShare,
    is_shared: isOwner && isShared === 1,
    version,
    size,
    seen_version: seenVersion,
    reviewed_version: reviewedVersion,
  };
  return { row, level, shown };
}

/** Where a team leaves content to its admins, its share makes nobody else an editor. */
function writes({ level, teamLevel, teamRole, contentAdminOnly }: AccessRow): boolean {
  if (level === "editor") return true;
  return teamLevel === "editor" && (teamRole === "admin" || contentAdminOnly !== true);
}
