import { useEffect } from "react";
import { heldCursor } from "#web/features/sidebar/held-list.ts";
import { forgetCursor, onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast.tsx";
import { left } from "./enter-and-leave.ts";
import { type SessionAnswer, refreshSession, useSession } from "./use-session.ts";

/** Holds the tab's live socket while someone is here, from after the first paint on, and follows what concerns the session. */
export function useLiveConnection(): void {
  const { user, features } = useSession();
  const userId = user?.id;
  const version = features?.version;

  useEffect(() => {
    if (userId === undefined) return;
    let stop: (() => void) | null = null;
    let gone = false;
    const timer = setTimeout(() => {
      void import("#web/lib/live-socket.ts").then(({ connectLive }) => {
        if (!gone) stop = connectLive({ since: heldCursor(), onRefused: () => !gone && void leaveIfOver() });
      });
    }, 0);
    return () => {
      gone = true;
      forgetCursor();
      clearTimeout(timer);
      stop?.();
    };
  }, [userId]);

  useEffect(
    () =>
      onLive((event) => {
        if (event.type === "hello") {
          if (event.reset) void queryClient.invalidateQueries();
          if (version !== undefined && event.version !== version) offerReload();
        }
        if (event.type === "user.changed") void refreshSession();
        if (event.type === "session.ended") leaveForced();
      }),
    [version],
  );
}

/** A tab that slept through the end of its session learns of it here. */
async function leaveIfOver(): Promise<void> {
  await refreshSession();
  const answer = queryClient.getQueryData<SessionAnswer>(keys.session);
  if (answer?.user === null) leaveForced();
}

function leaveForced(): void {
  left();
  toast({ title: "You were signed out", description: "Sign in again to go on. Your drafts are kept." });
}

function offerReload(): void {
  toast({ title: "A new version is ready", duration: null, action: { label: "Reload", onClick: () => window.location.reload() } });
}
