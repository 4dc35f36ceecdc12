import type { Team, TeamInvitation, TeamMember } from "#shared/entities/team.ts";
import type { User } from "#shared/entities/user.ts";
import { counted, daysUntil, longDate } from "#web/lib/format.ts";

/** What stands below a team's name in the list: '6 members, you are an admin'. */
export function sizeLabel({ memberCount, user_role: role }: Pick<Team, "memberCount" | "user_role">): string {
  return counted(memberCount, "member") + (role === "admin" ? ", you are an admin" : "");
}

/** Who made a team, where that is known, and when: 'Created by you on 4 March 2025.' */
export function createdLabel(team: Team, { ownId, members }: { ownId: string | null; members: readonly TeamMember[] }): string {
  const maker = members.find(({ user_id: id }) => id === team.created_by)?.users.display_name;
  const by = team.created_by === ownId ? " by you" : maker ? ` by ${maker}` : "";
  return `Created${by} on ${longDate(team.created_at)}.`;
}

/** How long something is open yet: 'today', 'tomorrow', 'in 5 days'; null where it is past. */
export function remaining(until: string, now: Date = new Date()): string | null {
  if (Date.parse(until) <= now.getTime()) return null;
  const days = daysUntil(until, now);
  if (days <= 0) return "today";
  return days === 1 ? "tomorrow" : `in ${days} days`;
}

/** What stands below an invited address: 'Expires in 5 days, sent by Ines'. */
export function pendingLabel(
  { expires_at: until, inviter }: Pick<TeamInvitation, "expires_at" | "inviter">,
  user: Pick<User, "email"> | null,
  now: Date = new Date(),
): string {
  const left = remaining(until, now);
  const isOwn = inviter.email !== null && inviter.email === user?.email;
  const sender = isOwn ? "you" : firstName(inviter.display_name);
  return `${left === null ? "Expired" : `Expires ${left}`}${sender ? `, sent by ${sender}` : ""}`;
}

/** The first word of a person's name. */
export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? "";
}

/** The members with one's own row first, else in the order given. */
export function ownFirst(members: readonly TeamMember[], ownId: string | null): TeamMember[] {
  return [...members.filter(({ user_id: id }) => id === ownId), ...members.filter(({ user_id: id }) => id !== ownId)];
}

const SHOWN_AT_FIRST = 4;

/** How many of a team's members wait behind 'Show N more': one alone would fit where that stands. */
export function hiddenAtFirst(count: number): number {
  return count > SHOWN_AT_FIRST + 1 ? count - SHOWN_AT_FIRST : 0;
}

/** The address that an invitation's link has. */
export function invitationUrl(token: string, origin = window.location.origin): string {
  return `${origin}/?team_invite=${encodeURIComponent(token)}`;
}
