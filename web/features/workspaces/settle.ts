import type { Team } from "#shared/entities/team.ts";
import { counted } from "#web/lib/format.ts";
import type { WorkspaceChoice } from "./workspace-store.ts";

/** What stands in place of a choice once the teams are known; `gone` is the name of the chosen team where it is no more one's own. */
export function settleChoice(
  choice: WorkspaceChoice | null,
  { userId, teams }: { userId: string; teams: readonly Pick<Team, "id" | "name">[] },
): { choice: WorkspaceChoice | null; gone: string | null } {
  const isTeam = choice !== null && choice.id !== "personal" && choice.id !== "all";
  const team = teams.find(({ id }) => id === choice?.id);
  const gone = isTeam && !team ? choice.name : null;
  if (teams.length === 0) return { choice: null, gone };
  if (choice === null) return { choice: { userId, id: "all", name: "All" }, gone };
  if (gone !== null) return { choice: { userId, id: "personal", name: "Personal" }, gone };
  return { choice: team && team.name !== choice.name ? { ...choice, name: team.name } : choice, gone };
}

/** What stands below 'All'. */
export function allWords(teams: number): string {
  if (teams === 1) return "Personal and your team";
  return teams === 2 ? "Personal and both teams" : `Personal and ${counted(teams, "team")}`;
}

/** Who reads what is begun in a team's workspace. */
export function readersWords(members: number): string {
  if (members === 1) return "Chats begun here can be read by whoever joins.";
  return members === 2 ? "Chats begun here can be read by both members." : `Chats begun here can be read by all ${members} members.`;
}
