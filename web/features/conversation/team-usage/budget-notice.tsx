import { CircleAlert, CircleDollarSign } from "lucide-react";
import { useChat } from "#web/features/conversation/messages/use-chat.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useWorkspaceTeam } from "#web/features/people/workspaces/workspace-store.ts";
import { budgetState, warningOf } from "./usage-text.ts";
import { useOwnTeamUsage } from "./use-team-usage.ts";

/** Says above the composer that one's budget in the chat's team comes to its end, or has. */
export function BudgetNotice({ chatId }: { chatId: string | null }) {
  const workspace = useWorkspaceTeam();
  const { isGuest, user } = useSession();
  // The transcript asks for the chat, once there is one.
  const chat = useChat(chatId, false).data?.chat;
  const teamId = chatId === null ? workspace : (chat?.team_id ?? null);
  return user === null || isGuest || teamId === null ? null : <Notice teamId={teamId} />;
}

function Notice({ teamId }: { teamId: string }) {
  const usage = useOwnTeamUsage(teamId);
  const warning = usage && warningOf(usage);
  if (!usage || !warning) return null;
  const isOver = budgetState(usage) === "over";
  const Icon = isOver ? CircleAlert : CircleDollarSign;
  return (
    <div role="status" className="mx-12 mb-8 flex items-center gap-10 rounded-12 bg-s3 py-6 pr-14 pl-14 text-13 text-ink desk:mx-20">
      <Icon aria-hidden className={isOver ? "size-16 shrink-0 text-danger" : "size-16 shrink-0 text-ink2"} />
      <p className="min-w-0 flex-1 py-6">{warning}</p>
    </div>
  );
}
