/** Rights on personas, prompts and knowledge. */

/** Someone's place in the team that an item belongs to; null for a stranger to it, and of a personal item. */
export type TeamMembership = { role: "admin" | "member"; contentAdminOnly: boolean } | null;

/** The place of a row that was joined, in which a stranger has no role. */
export function membershipOf({
  role,
  contentAdminOnly,
}: {
  role: "admin" | "member" | null;
  contentAdminOnly: boolean | null;
}): TeamMembership {
  return role && { role, contentAdminOnly: contentAdminOnly === true };
}

export type ContentRights = { use: boolean; edit: boolean; share: boolean; delete: boolean };

/** Who may change an item of a team, at the beginning of a sentence for somebody who may not. */
export function whoMayChange(team: TeamMembership): string {
  return team?.contentAdminOnly ? "Only admins of its team" : "Only its creator";
}

const NONE: ContentRights = { use: false, edit: false, share: false, delete: false };

/**
 * What a person may do with an item. Its creator alone edits it and changes its sharing; the creator or an admin of its team
 * deletes it; all members use it. Where a team leaves content to its admins, each of them edits and shares it, whoever made it, and
 * nobody else does.
 */
export function contentRights(item: { user_id: string; team_id: string | null }, userId: string, team: TeamMembership): ContentRights {
  const isCreator = item.user_id === userId;
  if (item.team_id === null) return isCreator ? { use: true, edit: true, share: true, delete: true } : NONE;
  // Who left the team keeps what is theirs.
  if (team === null) return isCreator ? { use: true, edit: true, share: true, delete: true } : NONE;
  const isAdmin = team.role === "admin";
  const mayChange = team.contentAdminOnly ? isAdmin : isCreator;
  return { use: true, edit: mayChange, share: mayChange, delete: isAdmin || isCreator };
}
