import type { Artifact } from "#shared/entities/artifact.ts";

/** Who shared an artifact, by first name; null for one's own. */
export function sharedBy({ is_owner, shared_by_name, shared_by_email }: Artifact): string | null {
  if (is_owner) return null;
  return shared_by_name?.trim().split(/\s+/)[0] || shared_by_email || "somebody";
}

type Seen = Pick<Artifact, "is_owner" | "is_team_share" | "seen_version">;

/** True for what somebody shared with the reader, who has not opened it; a team's artifacts are there without having come to anybody. */
export function isNewShare({ is_owner: isOwn, is_team_share: isTeams, seen_version: seen }: Seen): boolean {
  return !isOwn && !isTeams && seen === null;
}

/** What the dot beside an artifact's title says; null where there is nothing new. */
export function unseenNoteOf(artifact: Seen & Pick<Artifact, "version">): string | null {
  if (isNewShare(artifact)) return "Shared with you, not opened yet";
  const { seen_version: seen, version } = artifact;
  return seen !== null && seen < version ? "Changed since you last looked" : null;
}

/** What stands below a title: who shared it, or how its text begins. */
export function subtitle(artifact: Artifact): string {
  const by = sharedBy(artifact);
  return by === null ? artifact.content_preview : `Shared by ${by}`;
}
