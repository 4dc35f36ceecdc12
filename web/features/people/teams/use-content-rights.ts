import type { Team as MemberTeam } from "#shared/entities/team.ts";
import { type ContentRights, contentRights, whoMayChange } from "#shared/sharing/shared-content.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useTeams } from "#web/features/people/teams/own-teams.ts";

type Named = { name: string; team_id: string | null };
type Item = { user_id: string; team_id: string | null };
type Team = Pick<MemberTeam, "id" | "name" | "user_role" | "content_admin_only">;

/** What someone may do with a persona or a prompt, whether it is their own, and who may change it, for those who may not. */
export type ContentAccess = { rights: ContentRights; isOwn: boolean; keeper: string };

const NEW: ContentAccess = { rights: { use: true, edit: true, share: false, delete: false }, isOwn: true, keeper: whoMayChange(null) };

/** Returns how someone stands to an item (null: one that they make). */
export function contentAccessOf(item: Item | null, userId: string, teams: readonly Team[]): ContentAccess {
  if (item === null) return NEW;
  const isOwn = item.user_id === userId;
  if (item.team_id === null) return { rights: contentRights(item, userId, null), isOwn, keeper: whoMayChange(null) };
  const team = teams.find(({ id }) => id === item.team_id);
  // Until the teams are known, and for who left, as a member.
  const membership = { role: team?.user_role ?? ("member" as const), contentAdminOnly: team?.content_admin_only === true };
  return { rights: contentRights(item, userId, membership), isOwn, keeper: whoMayChange(membership) };
}

/** What the team of an item is called; null for a personal one. */
export function teamNameOf(teamId: string | null, teams: readonly Pick<Team, "id" | "name">[]): string | null {
  return teamId === null ? null : (teams.find(({ id }) => id === teamId)?.name ?? "Team");
}

/** How an item is named in a list that has room for words alone: with its team, where it belongs to one. */
export function useNamedWithTeam(): (item: Named) => string {
  const { user } = useSession();
  const teams = useTeams(user?.anonymous === false).data?.teams ?? [];
  return (item) => namedWithTeam(item, teams);
}

/** `Clerk · Nordlicht Studio`, or the name alone of what is personal. */
export function namedWithTeam({ name, team_id: teamId }: Named, teams: readonly Pick<Team, "id" | "name">[]): string {
  const team = teamNameOf(teamId, teams);
  return team === null ? name : `${name} · ${team}`;
}

/** The teams that an item may be given to: where admins alone change a team's content, others don't give it any. Another's stays in its own. */
export function teamsToGive<T extends Team>(teams: readonly T[], current: string | null, isOwn: boolean): T[] {
  const takes = ({ user_role: role, content_admin_only: isAdminsOnly }: T) => role === "admin" || !isAdminsOnly;
  return teams.filter((team) => team.id === current || (isOwn && takes(team)));
}

/** Returns what this person may do with a persona or a prompt. */
export function useContentRights(): (item: Item | null) => ContentAccess {
  const { user } = useSession();
  const teams = useTeams(user?.anonymous === false).data?.teams ?? [];
  return (item) => contentAccessOf(item, user?.id ?? "", teams);
}
