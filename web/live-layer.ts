import { useEffect } from "react";
import { registerServiceWorker } from "#web/lib/service-worker.ts";
import { useSystemNotices } from "#web/features/mail/push/use-shown-here.ts";
import { subscribeToApprovalEvents } from "#web/features/conversation/approvals/approvals-query.ts";
import { followArtifacts } from "#web/features/library/artifacts/use-artifacts.ts";
import { useUnreadCount } from "#web/features/conversation/chat-cache/use-chats.ts";
import { useLiveChats } from "#web/features/conversation/chat/use-live-chats.ts";
import { useLiveCredits } from "#web/features/conversation/credits/use-live-credits.ts";
import { followInvites } from "#web/features/people/invites/use-invites.ts";
import { followPersonas } from "#web/features/library/personas/use-personas.ts";
import { followKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { followPrompts } from "#web/features/library/prompts/use-prompts.ts";
import { followPeople } from "#web/features/conversation/sharing/use-people.ts";
import { followCategories } from "#web/features/conversation/tools/use-categories.ts";
import { followBudgets } from "#web/features/conversation/team-usage/use-team-usage.ts";
import { useReportTimeZone } from "#web/features/people/time-zone/use-report-time-zone.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useLiveConnection } from "#web/features/conversation/live/use-live-connection.ts";
import { useKeepWorkspaceValid } from "#web/features/conversation/workspaces/use-keep-workspace-valid.ts";

/** What keeps a tab in step with the person's others: drawn once, in the shell, and nothing to be seen. */
export function LiveLayer(): null {
  useLiveConnection();
  useLiveChats();
  useLiveCredits();
  useEffect(followPersonas, []);
  useEffect(followPrompts, []);
  useEffect(followKnowledge, []);
  useEffect(subscribeToApprovalEvents, []);
  useEffect(followArtifacts, []);
  useEffect(followPeople, []);
  useEffect(followInvites, []);
  useEffect(followBudgets, []);
  useEffect(followCategories, []);
  useEffect(() => void registerServiceWorker(), []);
  useEffect(() => void keepForOffline().catch(() => undefined), []);
  useSystemNotices(useUnreadCount());
  useReportTimeZone();
  useOthersForgotten();
  useKeepWorkspaceValid();
  return null;
}

/** As soon as the server has said who is here, what other accounts left in this browser goes. */
function useOthersForgotten(): void {
  const { user, status, isCurrent } = useSession();
  const account = isCurrent && status === "user" ? user?.id : undefined;
  useEffect(() => {
    if (account !== undefined) void forgetOthers(account).catch(() => undefined);
  }, [account]);
}

async function forgetOthers(account: string): Promise<void> {
  const [others] = await Promise.all([
    import("#web/features/account/account-data/forget-others.ts"),
    // Ahead, as without it nobody signs out, and that they may do without a network.
    import("#web/features/people/session/forget-here.ts"),
  ]);
  await others.forgetOthers(account);
}

async function keepForOffline(): Promise<void> {
  const { startOffline } = await import("#web/features/shell/offline/start-offline.ts");
  startOffline();
}
