import { useEffect } from "react";
import { registerServiceWorker } from "#web/lib/service-worker.ts";
import { useShownHere } from "#web/features/push/use-shown-here.ts";
import { followApprovals } from "#web/features/approvals/held-approvals.ts";
import { followArtifacts } from "#web/features/artifacts/use-artifacts.ts";
import { useLiveChats } from "#web/features/chat/use-live-chats.ts";
import { useLiveCredits } from "#web/features/credits/use-live-credits.ts";
import { followInvites } from "#web/features/invites/use-invites.ts";
import { followPersonas } from "#web/features/personas/use-personas.ts";
import { followKnowledge } from "#web/features/knowledge/use-knowledge.ts";
import { followPrompts } from "#web/features/prompts/use-prompts.ts";
import { followPeople } from "#web/features/sharing/use-people.ts";
import { followCategories } from "#web/features/tools/use-categories.ts";
import { followBudgets } from "#web/features/team-usage/use-team-usage.ts";
import { useReportedZone } from "#web/features/time-zone/use-reported-zone.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { useLiveConnection } from "#web/features/session/use-live-connection.ts";
import { useSettledWorkspace } from "#web/features/workspaces/use-settled-workspace.ts";

/** What keeps a tab in step with the person's others: drawn once, in the shell, and nothing to be seen. */
export function LiveLayer(): null {
  useLiveConnection();
  useLiveChats();
  useLiveCredits();
  useEffect(followPersonas, []);
  useEffect(followPrompts, []);
  useEffect(followKnowledge, []);
  useEffect(followApprovals, []);
  useEffect(followArtifacts, []);
  useEffect(followPeople, []);
  useEffect(followInvites, []);
  useEffect(followBudgets, []);
  useEffect(followCategories, []);
  useEffect(() => void registerServiceWorker(), []);
  useEffect(() => void keepForOffline().catch(() => undefined), []);
  useShownHere();
  useReportedZone();
  useOthersForgotten();
  useSettledWorkspace();
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
  await (await import("#web/features/account-data/forget-here.ts")).forgetOthers(account);
}

async function keepForOffline(): Promise<void> {
  const { startOffline } = await import("#web/features/offline/start-offline.ts");
  startOffline();
}
