/** How a person whose account is deleted leaves their teams. */
import { DELETED_USER } from "#shared/deleted-user.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { deleteMember, dissolveTeam, selectMemberIds, selectMembers, selectTeams, updateCreator, updateRole } from "./queries.ts";
import { changeMembership } from "./refresh-chats.ts";
import { notifyMembers } from "./teams.ts";

/** A team that somebody would leave without an admin, though others are in it. */
export type Leaderless = { id: string; name: string };

/** The teams that nobody would manage without this person, and that others are in. */
export async function leaderlessTeams(db: Database, userId: string): Promise<Leaderless[]> {
  const teams: Leaderless[] = [];
  for (const { id, name, user_role: role, memberCount } of await selectTeams(db, userId)) {
    if (role !== "admin" || memberCount === 1) continue;
    const others = (await selectMembers(db, id)).filter((member) => member.user_id !== userId);
    if (!others.some((member) => member.role === "admin")) teams.push({ id, name });
  }
  return teams;
}

/** The teams that go with this person, who is alone in them. */
export async function teamsOfOneMember(db: Database, userId: string): Promise<Leaderless[]> {
  return (await selectTeams(db, userId)).filter(({ memberCount }) => memberCount === 1).map(({ id, name }) => ({ id, name }));
}

export async function dissolveLoneTeams(env: Env, db: Database, userId: string): Promise<void> {
  for (const { id: teamId } of await teamsOfOneMember(db, userId)) {
    await changeMembership(env, { teamId, userIds: [userId] }, () => dissolveTeam(db, teamId, new Date().toISOString()));
  }
}

/** Takes a person out of all their teams; where they were the last admin, as somebody stopped being one meanwhile, the longest member becomes one. */
export async function leaveTeams(env: Env, db: Database, userId: string): Promise<void> {
  for (const { id: teamId, created_by: creatorId } of await selectTeams(db, userId)) {
    const others = (await selectMembers(db, teamId)).filter((member) => member.user_id !== userId);
    const heir = others.find((member) => member.role === "admin") ?? others[0];
    if (heir && heir.role !== "admin") await updateRole(db, { teamId, userId: heir.user_id, role: "admin" });
    if (creatorId === userId) await updateCreator(db, teamId, heir?.user_id ?? DELETED_USER.id);
    await changeMembership(env, { teamId, userIds: [] }, () => deleteMember(db, teamId, { userId, at: new Date().toISOString() }));
    await notifyMembers(env, await selectMemberIds(db, teamId));
  }
}
