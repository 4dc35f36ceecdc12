import { useEffect, useState } from "react";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useTeams } from "#web/features/people/teams/own-teams.ts";
import { onLive } from "#web/lib/live.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { settleChoice } from "./settle-choice.ts";
import { choiceOf, setWorkspace } from "#web/features/people/workspaces/workspace-store.ts";

/** Without a live connection the teams are asked for after so long, in milliseconds. */
const PATIENCE_MS = 3_000;

/** Reads which teams the person is in, offers the choice of a workspace to who is in one, and leaves a workspace whose team is gone. */
export function useKeepWorkspaceValid(): void {
  const { user, status } = useSession();
  const userId = user && status === "user" ? user.id : null;
  const isFollowed = useIsFollowed();
  const { data } = useTeams(userId !== null && isFollowed);
  useEffect(() => {
    if (userId === null || !data) return;
    const before = choiceOf(userId);
    const { choice, gone } = settleChoice(before, { userId, teams: data.teams });
    if (choice !== before) setWorkspace(choice);
    if (gone !== null)
      toast({ title: `You are no longer in ${gone}`, description: choice ? "You see your personal chats." : "You see all your chats." });
  }, [userId, data]);
}

/** True once events report changes: what is read before could be out of date unheard. */
function useIsFollowed(): boolean {
  const [isFollowed, setIsFollowed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsFollowed(true), PATIENCE_MS);
    const stop = onLive((event) => event.type === "hello" && setIsFollowed(true));
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return isFollowed;
}
