import type { Team } from "#shared/entities/team.ts";
import { counted } from "#web/lib/format.ts";
import type { WorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";

type TeamFacts = Pick<Team, "id" | "name" | "user_role" | "content_admin_only">;

/** The choice of a workspace, of one's team where it is given. */
export function choiceFor(userId: string, to: "personal" | "all" | TeamFacts): WorkspaceChoice {
  if (to === "personal") return { userId, id: "personal", name: "Personal", isClosed: false };
  if (to === "all") return { userId, id: "all", name: "All", isClosed: false };
  return { userId, id: to.id, name: to.name, isClosed: isClosedTo(to) };
}

/** True of a team that leaves content to its admins, of whom this is none. */
export function isClosedTo(team: Pick<Team, "user_role" | "content_admin_only">): boolean {
  return team.content_admin_only && team.user_role !== "admin";
}

/** What stands in place of a choice once the teams are known; `gone` is the name of the chosen team where it is no longer one's own. */
export function settleChoice(
  choice: WorkspaceChoice | null,
  { userId, teams }: { userId: string; teams: readonly TeamFacts[] },
): { choice: WorkspaceChoice | null; gone: string | null } {
  const isTeam = choice !== null && choice.id !== "personal" && choice.id !== "all";
  const team = teams.find(({ id }) => id === choice?.id);
  const lostTeam = isTeam && !team ? choice.name : null;
  if (teams.length === 0) return { choice: null, gone: lostTeam };
  if (choice === null) return { choice: choiceFor(userId, "all"), gone: lostTeam };
  if (lostTeam !== null) return { choice: choiceFor(userId, "personal"), gone: lostTeam };
  const now = team ? choiceFor(userId, team) : choice;
  return { choice: now.name === choice.name && now.isClosed === choice.isClosed ? choice : now, gone: lostTeam };
}

/** What stands below 'All'. */
export function allWorkspacesLabel(teams: number): string {
  if (teams === 1) return "Personal and your team";
  return teams === 2 ? "Personal and both teams" : `Personal and ${counted(teams, "team")}`;
}

/** Who reads what is begun in a team's workspace. */
export function readersNote(members: number, isClosed: boolean): string {
  if (isClosed) return "Its admins alone share here: chats you begin are yours.";
  if (members === 1) return "Chats begun here can be read by whoever joins.";
  return members === 2 ? "Chats begun here can be read by both members." : `Chats begun here can be read by all ${members} members.`;
}
