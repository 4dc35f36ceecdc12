/** Who may do what with which artifact: the one place where that is found out, for pages, models and search alike. */
import { artifactRights } from "#shared/artifacts.ts";
import type { Artifact, ArtifactLevel } from "#shared/entities/artifact.ts";
import { AppError } from "../../app-error.ts";
import type { Database } from "../../db/client.ts";
import { type ArtifactRow, type ReachedRow, selectReached } from "./queries.ts";

export { isArtifact, selectReaderIds as readReaderIds } from "./queries.ts";
export type { ArtifactRow } from "./queries.ts";

/** An artifact as one reader has it: its row, what they may do, and what lists show them. */
export type Reached = { row: ArtifactRow; level: ArtifactLevel; shown: Artifact };

/** Those of these artifacts that a user may read, in the order of `ids`. */
export async function reachArtifacts(db: Database, userId: string, ids: readonly string[]): Promise<Reached[]> {
  if (ids.length === 0) return [];
  const ways = Map.groupBy(await selectReached(db, userId, ids), ({ artifact }) => artifact.id);
  return ids.flatMap((id) => {
    const rows = ways.get(id);
    return rows ? [toReached(rows, userId)] : [];
  });
}

/** An artifact that a user may read. Throws NOT_FOUND. */
export async function reachArtifact(db: Database, userId: string, id: string): Promise<Reached> {
  const [reached] = await reachArtifacts(db, userId, [id]);
  if (!reached) throw new AppError("NOT_FOUND");
  return reached;
}

/** An artifact with which a user may do this. Throws NOT_FOUND, FORBIDDEN. */
export async function reachFor(db: Database, userId: string, id: string, act: "edit" | "share" | "delete"): Promise<Reached> {
  const reached = await reachArtifact(db, userId, id);
  if (!artifactRights(reached.level)[act]) throw new AppError("FORBIDDEN", { message: REFUSALS[act] });
  return reached;
}

const REFUSALS = {
  edit: "You can read this artifact, and not change it.",
  share: "Only its owner can share this artifact.",
  delete: "Only its owner can delete this artifact.",
};

function toReached(ways: ReachedRow[], userId: string): Reached {
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
function writes({ level, teamLevel, teamRole, contentAdminOnly }: ReachedRow): boolean {
  if (level === "editor") return true;
  return teamLevel === "editor" && (teamRole === "admin" || contentAdminOnly !== true);
}
