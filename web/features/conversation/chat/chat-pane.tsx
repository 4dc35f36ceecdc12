import { useEffect, useMemo, type ComponentProps } from "react";
import type { ChatDetails } from "#shared/entities/chat.ts";
import { isUuid } from "#shared/uuid.ts";
import { arrivalQuery } from "#web/features/people/arrival/link-store.ts";
import { NEW_CHAT, useHasDraft } from "#web/features/conversation/composer/drafts.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ChatPaneHeader } from "#web/features/conversation/sidebar/pane-ends.tsx";
import { PaneHeader } from "#web/ui/pane-header.tsx";
import { usePageTitle } from "#web/lib/page-title.ts";
import { useWorkspaceTeam } from "#web/features/people/workspaces/workspace-store.ts";
import { useFirstScreenShown } from "#web/lib/first-screen.ts";
import { cx } from "#web/ui/cx.ts";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import { ChatHeader } from "./chat-header.tsx";
import { ComposerDock } from "./composer-dock.tsx";
import { FirstTurn, TranscriptSkeleton } from "#web/features/conversation/transcript/transcript-skeleton.tsx";
import { HomeGreeting } from "./home-greeting.tsx";
import { HomeHints } from "#web/features/conversation/home/home-hints.tsx";
import { ReaderContext, type Reading } from "#web/features/conversation/messages/reader-context.ts";
import { sendQueued } from "#web/features/conversation/sending/send-queued.ts";
import { useTranscript } from "#web/features/conversation/transcript/use-transcript.ts";
import { useLocation } from "react-router";
import { TryAgain } from "#web/ui/try-again.tsx";
import { DeadEnd } from "#web/ui/dead-end.tsx";

type TranscriptProps = ComponentProps<typeof import("#web/features/conversation/transcript/transcript.tsx").default>;

const Transcript = lazyPart<TranscriptProps>(
  async () => (await import("#web/features/conversation/transcript/transcript.tsx")).default,
  ({ path, pending }) => (path.length === 0 ? <FirstTurn pending={pending} /> : <TranscriptSkeleton />),
);

// Fetched while there still is a connection, for when there is none.
const OfflineBanner = lazyPart(async () => (await import("./offline-banner.tsx")).OfflineBanner);
const ReadOnlyDock = lazyPart(async () => (await import("#web/features/conversation/sharing/read-only-dock.tsx")).default);

const Exchange = lazyPart<{ voices?: 3 | 4 }>(async () => (await import("#web/features/people/session/exchange.tsx")).Exchange);
const HomeBelow = lazyPart(async () => (await import("#web/features/conversation/home/home-below.tsx")).default);

const TeamFaces = lazyPart(async () => (await import("#web/features/conversation/workspaces/team-faces.tsx")).default);

const HomePrompts = lazyPart(async () => (await import("#web/features/conversation/home/home-prompts.tsx")).HomePrompts);

const RecordSwitch = lazyPart(async () => (await import("#web/features/conversation/chat-settings/record-switch.tsx")).RecordSwitch);

const TypingLine = lazyPart(async () => (await import("#web/features/conversation/sharing/typing-line.tsx")).default);

/** A chat, or with null the one to come: what it was typed into stays when the first message makes it a chat. */
export function ChatPane({ chatId }: { chatId: string | null }) {
  const isPossible = chatId === null || isUuid(chatId);
  return isPossible ? <PossibleChat chatId={chatId} /> : <Missing />;
}

function PossibleChat({ chatId }: { chatId: string | null }) {
  const transcript = useTranscript(chatId);
  const { state, chat, path, isBusy } = transcript;
  useLanding(chatId);
  useEffect(() => void sendQueued(), []);
  usePreloadedTranscript(chatId);
  const reading = useReading(chat);
  const { status, isUnknown } = useSession();
  const isOwnHome = status === "user" && chatId === null;
  const isMobile = useIsMobile();
  if (state.kind === "missing") return <Missing />;
  if (state.kind === "public" && chatId !== null) return <OnPublicPage chatId={chatId} />;
  return (
    <>
      {chatId === null ? <HomeHeader /> : <ChatHeader key={chatId} chatId={chatId} chat={chat} />}
      <WhenIdle>
        <OfflineBanner />
      </WhenIdle>
      <ErrorBoundary what="This chat" resetKey={chatId ?? ""}>
        {chatId === null ? (
          <div
            className={cx(
              "flex min-h-0 flex-[4] flex-col overflow-y-auto pb-[16dvh] before:flex-1 after:flex-1 desk:pb-0",
              // What follows below comes later and has its own length: the composer stands where it is from the beginning.
              isOwnHome ? "desk:flex-none desk:pt-[min(92px,10dvh)]" : "desk:after:hidden",
            )}
          >
            <HomeGreeting />
          </div>
        ) : state.kind === "ready" ? (
          <ReaderContext value={reading}>
            <Transcript key={chatId} chatId={chatId} {...transcript} />
          </ReaderContext>
        ) : state.kind === "failed" ? (
          <LoadFailed message={state.message} onRetry={transcript.retry} />
        ) : (
          <TranscriptSkeleton />
        )}
      </ErrorBoundary>
      {chat !== null && isTogether(chat) && <TypingLine chatId={chat.id} />}
      {chatId === null && isOwnHome && isMobile && (
        // As high as what comes, so the greeting stands where it will stay.
        <div className="h-44 shrink-0 touch:h-48">
          <WhenIdle>
            <HomePrompts />
          </WhenIdle>
        </div>
      )}
      {reading.canWrite ? <ComposerDock chatId={chatId} path={path} isBusy={isBusy} /> : <ReadOnlyDock last={path.at(-1) ?? null} />}
      {chatId === null && (
        <div className={cx("hidden desk:block", isOwnHome ? "min-h-0 flex-1 overflow-y-auto" : "desk:flex-[5]")}>
          {!isOwnHome ? (
            <>
              <HomeHints />
              {!isMobile && (status === "visitor" || status === "guest") && !isUnknown && (
                <WhenIdle>
                  <div className="mx-auto mt-48 w-full max-w-792 px-36 [@media(height<760px)]:hidden">
                    <Exchange voices={3} />
                  </div>
                </WhenIdle>
              )}
            </>
          ) : (
            !isMobile && (
              <WhenIdle>
                <HomeBelow />
              </WhenIdle>
            )
          )}
        </div>
      )}
    </>
  );
}

function HomeHeader() {
  usePageTitle(null);
  const team = useWorkspaceTeam();
  const isMobile = useIsMobile();
  const { status } = useSession();
  return (
    <PaneHeader
      {...(status === "user" && {
        actions: (
          <WhenIdle>
            {team !== null && !isMobile && <TeamFaces teamId={team} />}
            <RecordSwitch />
          </WhenIdle>
        ),
      })}
    />
  );
}

function Missing() {
  usePageTitle("Not found");
  useFirstScreenShown();
  return (
    <>
      <ChatPaneHeader />
      <ChatNotFound />
    </>
  );
}

/** True for a chat that several people may be in. */
function isTogether({ isShared, hasBeenShared }: ChatDetails): boolean {
  return isShared || hasBeenShared;
}

function useReading(chat: ChatDetails | null): Reading {
  const { user } = useSession();
  const ownId = user?.id ?? null;
  const canWrite = chat?.permissionLevel !== "viewer";
  return useMemo(() => ({ ownId, canWrite }), [ownId, canWrite]);
}

/** A chat that strangers read on its public page: that page is a document of the server's. */
function OnPublicPage({ chatId }: { chatId: string }) {
  useFirstScreenShown();
  useEffect(() => window.location.replace(`/p/${chatId}${arrivalQuery(window.location.search)}`), [chatId]);
  return null;
}

/** Fetches what a conversation needs along with it, and what a reply needs with the first key, movement or text: so the first send or chat shows at once. */
function usePreloadedTranscript(chatId: string | null): void {
  const hasText = useHasDraft(chatId ?? NEW_CHAT);
  useEffect(() => {
    // The first real use tries again and shows its own failure.
    if (chatId !== null) Transcript.preload().catch(() => undefined);
    const load = () =>
      void Promise.all([Transcript.preload(), import("#web/features/conversation/replies/reply-stream.ts")]).catch(() => undefined);
    if (hasText) load();
    const stop = new AbortController();
    for (const event of ["keydown", "pointermove", "pointerdown", "paste"]) {
      window.addEventListener(event, load, { capture: true, once: true, passive: true, signal: stop.signal });
    }
    return () => stop.abort();
  }, [chatId, hasText]);
}

/** A chat that could not be read, with the way to ask again. */
function LoadFailed({ message, onRetry }: { message: string; onRetry: () => void }) {
  useFirstScreenShown();
  return (
    <div role="alert" className="flex min-h-0 flex-1 flex-col items-center justify-center gap-12 px-24 text-center">
      <div>
        <p className="text-16 font-medium text-ink">This chat could not be loaded</p>
        <p className="mt-4 text-14 text-ink2">{message}</p>
      </div>
      <TryAgain size="md" onClick={onRetry} />
    </div>
  );
}

/** Lands on the message that the address names, with each arrival: `/c/{chat}?message={id}`. */
function useLanding(chatId: string | null): void {
  const { search, key: arrival } = useLocation();
  const messageId = new URLSearchParams(search).get("message");
  useEffect(() => {
    if (chatId === null || messageId === null || !isUuid(messageId)) return;
    // Without its code the chat opens where it was left; the next search tries again.
    import("#web/features/conversation/transcript/landing.ts")
      .then(({ scrollToMessage }) => scrollToMessage(chatId, { messageId, arrival }))
      .catch(() => undefined);
  }, [chatId, messageId, arrival]);
}

/** One and the same screen for a chat of somebody else, of nobody, and an address that cannot be one. */
function ChatNotFound() {
  return <DeadEnd title="This chat doesn't exist, or you have no access to it." />;
}
