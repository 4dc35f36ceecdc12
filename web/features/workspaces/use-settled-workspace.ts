import { useEffect } from "react";
import { useSession } from "#web/features/session/use-session.ts";
import { useTeams } from "#web/features/teams/own-teams.ts";
import { toast } from "#web/ui/toast.tsx";
import { settleChoice } from "./settle.ts";
import { choiceOf, setWorkspace } from "./workspace-store.ts";

/** Reads which teams the person is in, offers the choice of a workspace to who is in one, and leaves a workspace whose team is gone. */
export function useSettledWorkspace(): void {
  const { user, status } = useSession();
  const userId = user && status === "user" ? user.id : null;
  const { data } = useTeams(userId !== null);
  useEffect(() => {
    if (userId === null || !data) return;
    const before = choiceOf(userId);
    const { choice, gone } = settleChoice(before, { userId, teams: data.teams });
    if (choice !== before) setWorkspace(choice);
    if (gone !== null)
      toast({ title: `You are no longer in ${gone}`, description: choice ? "You see your personal chats." : "You see all your chats." });
  }, [userId, data]);
}
