import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useMatch, useNavigate } from "react-router";
import { firstScreen } from "#web/lib/first-screen.ts";
import { forgetCursor, onLive } from "#web/lib/live.ts";
import { reloadFromNetwork } from "#web/lib/reload-from-network.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { forgetUser, isSigningOut, onSignedOut } from "#web/features/people/session/enter-and-leave.ts";
import type { Live } from "./go-live.ts";
import { loginUrl } from "#web/features/people/session/login-url.ts";
import { refreshSession, useSession, type Session, type SessionAnswer } from "#web/features/people/session/use-session.ts";

let running: string | null = null;
let offered = false;

/** Takes what the server says about its build: another one than this page began with asks to reload, once. */
function noteVersion(version: string): void {
  if (version === "") return;
  running ??= version;
  if (version === running || offered) return;
  offered = true;
  toast({ title: "A new version is ready", duration: null, action: { label: "Reload", onClick: () => void reloadFromNetwork() } });
}

/** Code that did not come, e.g. without a network, is asked for again after so many milliseconds. */
const AGAIN_MS = 2_000;

/** Holds the tab's live socket while someone is here, from after the first screen on, and follows what concerns the session. */
export function useLiveConnection(): void {
  const session = useSession();
  const userId = session.user?.id;
  const onEnded = useEffectEvent(useLeaveForced());
  const chatId = useMatch("/c/:chatId")?.params.chatId ?? null;
  const live = useRef<Live | null>(null);
  const attend = useEffectEvent(() => live.current?.attend(chatId));
  useNewVersion(session);

  useEffect(() => {
    if (userId === undefined) return;
    let isUnmounted = false;
    const onRefused = async () => {
      if (!isUnmounted && (await isOver())) onEnded();
    };
    const connect = async () => {
      await firstScreen();
      const code = await import("./go-live.ts").catch(() => null);
      if (isUnmounted) return;
      if (code === null) return void (timer = setTimeout(() => void connect(), AGAIN_MS));
      live.current = code.goLive(() => void onRefused());
      attend();
    };
    let timer = setTimeout(() => void connect(), 0);
    return () => {
      isUnmounted = true;
      forgetCursor();
      clearTimeout(timer);
      live.current?.stop();
      live.current = null;
    };
  }, [userId]);

  useEffect(() => live.current?.attend(chatId), [chatId]);

  useEffect(
    () =>
      onLive((event) => {
        if (event.type === "hello") {
          if (event.reset) void queryClient.invalidateQueries();
          // No event reports what changed since they were read and before the line was open.
          else void rereadTeams();
          noteVersion(event.version);
        }
        if (event.type === "user.changed") void refreshSession();
        if (event.type === "teams.changed") void rereadTeams();
        if (event.type === "session.ended") onEnded();
      }),
    [],
  );
}

/** Hears of a new version: from every current answer about the session, for which a visitor, who has no socket, asks when the tab is looked at again. */
function useNewVersion({ user, features, isCurrent }: Session): void {
  const isVisitor = user === null;
  const version = features?.version;
  useEffect(() => {
    if (isCurrent && version !== undefined) noteVersion(version);
  }, [isCurrent, version]);
  useEffect(() => {
    if (!isVisitor) return;
    const onVisible = () => document.visibilityState === "visible" && void refreshSession();
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, [isVisitor]);
}

/** What a page does when its session was ended elsewhere: in a chat it asks to sign in and come back, else it goes on as a visitor's. */
function useLeaveForced(): () => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const hasEnded = useRef(false);
  // Once the chat's pane is gone: until then it would ask again for what it may not read any more.
  useEffect(
    () => () => {
      if (hasEnded.current) onSignedOut();
    },
    [],
  );
  return () => {
    if (isSigningOut() || hasEnded.current) return;
    toast({ title: "You were signed out", description: "Sign in again to go on. Your drafts are kept." });
    if (!pathname.startsWith("/c/")) return onSignedOut();
    hasEnded.current = true;
    forgetUser();
    void navigate(loginUrl(pathname + search), { replace: true });
  };
}

/** Reads again what was read of teams; a first request that is under way is asked anew at once, as its answer may be older than the news, and late. */
async function rereadTeams(): Promise<void> {
  await queryClient.cancelQueries({ queryKey: keys.teams });
  await queryClient.invalidateQueries({ queryKey: keys.teams });
}

/** A tab that slept through the end of its session learns of it here. */
async function isOver(): Promise<boolean> {
  await refreshSession();
  return queryClient.getQueryData<SessionAnswer>(keys.session)?.user === null;
}
