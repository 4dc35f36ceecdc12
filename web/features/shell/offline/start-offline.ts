import { checkConnection, connection, onConnectionChange, reportOffline } from "#web/lib/connection.ts";
import { onChatForgotten } from "#web/features/conversation/messages/forgotten-chats.ts";
import { rememberedSession } from "#web/features/people/session/remembered-session.ts";
import { queryClient } from "#web/lib/query.ts";
import { OfflineKeeper } from "./keep-offline.ts";
import { offlineStore } from "#web/lib/offline-store.ts";

let keeper: OfflineKeeper | null = null;
let isChecking = false;

/** Begins to keep what this page reads, and to show what was kept where the server is out of reach; once a page. */
export function startOffline(): void {
  if (keeper) return;
  const running = new OfflineKeeper({
    client: queryClient,
    store: offlineStore,
    remembered: () => rememberedSession.read()?.user?.id ?? null,
    isOffline: () => !navigator.onLine || connection().kind === "offline",
    onUnreachable: () => void check(),
    onChatForgotten: onChatForgotten,
  });
  keeper = running;
  if (!navigator.onLine) reportOffline();
  // A person who installed it counts on what waits here; before that, some browsers would ask them.
  if (matchMedia("(display-mode: standalone)").matches) navigator.storage?.persist().catch(() => undefined);
  onConnectionChange(() => {
    // What failed meanwhile, or was only kept, is read again.
    if (connection().kind === "online") {
      void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.isInvalidated || state.status === "error" });
    }
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void running.flush();
  });
}

/** Many requests fail at once, and one is enough. */
async function check(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  await checkConnection();
  isChecking = false;
}
