import type { Database } from "#worker/platform/db/client.ts";
import { log } from "#worker/platform/log.ts";
import { mayShareWithTeam, requireTeam } from "#worker/people/teams/teams.ts";
import { hasTeamShare, selectChatTeam, upsertTeamShare } from "./queries.ts";

type TeamShare = { artifactId: string; userId: string; teamId: string; level: "editor" | "viewer" };

/** Shares an artifact of one's own with a team of one's own; the level of a share that is there may be changed whatever became of that. Throws TEAM_NOT_FOUND. */
export async function shareWithTeam(db: Database, { artifactId, userId, teamId, level }: TeamShare): Promise<void> {
  if (!(await hasTeamShare(db, artifactId, teamId))) await requireTeam(db, teamId, userId);
  await upsertTeamShare(db, { artifactId, level, sharedBy: userId, teamId });
}

type ChatShare = { artifactId: string; userId: string; chatId: string };

/** True where a team reads what this person makes in a chat. */
export async function hasChatTeam(db: Database, { userId, chatId }: Omit<ChatShare, "artifactId">): Promise<boolean> {
  const teamId = await selectChatTeam(db, chatId);
  return teamId !== null && (await mayShareWithTeam(db, teamId, userId));
}

/** Lets the team in whose workspace a chat was begun read what was made in it. A failure is only noted, as the artifact is made. */
export async function shareWithChatTeam(db: Database, { artifactId, userId, chatId }: ChatShare): Promise<void> {
  try {
    const teamId = await selectChatTeam(db, chatId);
    if (teamId !== null && (await mayShareWithTeam(db, teamId, userId)))
      await shareWithTeam(db, { artifactId, userId, teamId, level: "viewer" });
  } catch (cause) {
    log.warn("an artifact was not shared with its chat's team", { artifactId, cause });
  }
}
