import { type ComponentProps, memo, useCallback, useState, type RefObject, useLayoutEffect } from "react";
import { ArrowDown } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import { useFirstScreenShown } from "#web/lib/first-screen.ts";
import { useReplyStream } from "#web/features/conversation/replies/use-reply-stream.ts";
import { loadAfterFirstText } from "#web/lib/first-text.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import { AssistantTurn } from "#web/features/conversation/turns/assistant-turn.tsx";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { useEver } from "#web/lib/use-ever.ts";
import { editing, isVersionOf } from "#web/features/conversation/sending/editing.ts";
import type { PendingSend } from "#web/features/conversation/sending/outbox.ts";
import { PendingTurn } from "#web/features/conversation/turns/pending-turn.tsx";
import { TurnFrame } from "#web/features/conversation/turns/turn-frame.tsx";
import { sentHere } from "#web/features/conversation/sending/use-send-message.ts";
import { UserTurn } from "#web/features/conversation/turns/user-turn.tsx";
import { useShownPath } from "./use-shown-path.ts";
import { useTranscriptScroll } from "./use-transcript-scroll.ts";
import { landings, takeLanding } from "./landing-store.ts";

type TranscriptProps = ComponentProps<typeof MessageList> & { replyId: string | null };

/** A chat's messages, the one being written included. */
export default function Transcript({ replyId, ...list }: TranscriptProps) {
  useFirstScreenShown();
  useReplyStream(list.chatId, replyId);
  return <MessageList {...list} />;
}

const AskAboutThis = lazyPart(() => loadAfterFirstText(async () => (await import("./ask-about-this.tsx")).AskAboutThis));

const MessageEditor = lazyPart(async () => (await import("#web/features/conversation/sending/message-editor.tsx")).MessageEditor);

const Question = memo(UserTurn);
const Answer = memo(AssistantTurn);

type MessageListProps = {
  chatId: string;
  path: Message[];
  pending: PendingSend[];
  isBusy: boolean;
  older: { has: boolean; isLoading: boolean; load: () => void };
};

/** The conversation: its turns in reading order, then what is still on its way. */
function MessageList({ chatId, path, pending, isBusy, older }: MessageListProps) {
  const anchorId = useAnchor(chatId, isBusy);
  const { has, isLoading, load } = older;
  const { shown, showsFullPath } = useShownPath(chatId, path);
  const onNearStart = useCallback(() => {
    if (has && !isLoading && showsFullPath) load();
  }, [has, isLoading, showsFullPath, load]);
  const { scroller, isAway, toEnd, toPlace, onScroll } = useTranscriptScroll({ chatId, firstId: shown[0]?.id, anchorId, onNearStart });
  const isDrawn = useCallback((id: string) => shown.some((message) => message.id === id), [shown]);
  useLandingPlace(chatId, { scroller, isDrawn, toPlace });

  const offPathEdit = useOffPathEdit(chatId, path, has);
  const last = path.at(-1);
  const lastReplyId = pending.length === 0 && last?.role === "assistant" ? last.id : null;
  return (
    <div className="fading relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        // Whoever clicks into the text goes on through it by the keys.
        tabIndex={-1}
        onScroll={onScroll}
        className="outline-none relative min-h-0 flex-1 overflow-y-auto overscroll-contain [container-type:size] [scrollbar-gutter:stable] min-[600px]:[scrollbar-gutter:stable_both-edges] print:[container-type:normal]"
      >
        <div
          role="log"
          aria-label="Conversation"
          aria-live="off"
          aria-busy={isBusy}
          className="mx-auto w-full max-w-792 px-16 min-[600px]:max-desk:px-13 touch:min-[600px]:max-desk:px-28 pt-8 pb-24 desk:px-36"
        >
          {shown.map((message, index) =>
            message.role === "user" ? (
              <Question key={message.id} message={message} isRecent={index >= shown.length - 2} isBusy={isBusy} />
            ) : (
              <Answer
                key={`reply:${message.parent_id}`}
                message={message}
                isLast={message.id === lastReplyId}
                isRecent={index >= shown.length - 2}
                isBusy={isBusy}
                hasReserve={index === shown.length - 1 && message.parent_id === anchorId}
              />
            ),
          )}
          {pending.map((send) => (
            <PendingTurn key={send.id} send={send} hasReserve={send.id === anchorId} />
          ))}
          {offPathEdit !== null && (
            <TurnFrame messageId={offPathEdit.id} speaker="You" isRecent className="pt-14 pb-14">
              <MessageEditor key={offPathEdit.id} message={offPathEdit} isBusy={isBusy} isOffPath />
            </TurnFrame>
          )}
        </div>
      </div>
      {isAway && (
        <button
          type="button"
          data-print="hide"
          onClick={toEnd}
          className="absolute bottom-10 left-1/2 z-2 inline-flex h-32 -translate-x-1/2 items-center gap-6 rounded-12 border border-line bg-pop px-12 text-13 font-medium text-ink shadow-composer transition-colors duration-120 hover:bg-s3 touch:h-44"
        >
          <ArrowDown aria-hidden className="size-14" />
          Jump to latest
        </button>
      )}
      <WhenIdle>
        <AskAboutThis chatId={chatId} />
      </WhenIdle>
      <TranscriptAnnouncer last={last} isAnswering={isBusy || (last !== undefined && isLive(last.status))} />
    </div>
  );
}

/** The message being edited, where the shown path leads neither through it nor through another version of it. */
function useOffPathEdit(chatId: string, path: Message[], hasOlder: boolean): Message | null {
  const edited = useKeyed(editing, chatId);
  const [seenId, setSeenId] = useState<string | null>(null);
  if (edited === null) return null;
  if (path.some((message) => isVersionOf(message, edited))) {
    if (seenId !== edited.id) setSeenId(edited.id);
    return null;
  }
  // Where it was not seen yet, it may stand in the part of the path that is not here.
  return seenId === edited.id || !hasOlder ? edited : null;
}

/** The question sent from here while this transcript was open, which stands at the top as its answer grows. */
function useAnchor(chatId: string, isBusy: boolean): string | null {
  const sentId = useKeyed(sentHere, chatId);
  const [earlier] = useState(isBusy ? null : sentId);
  return sentId === earlier ? null : sentId;
}

const TranscribedText = lazyPart<{ markdown: string }>(() =>
  loadAfterFirstText(async () => (await import("./announced-text.tsx")).AnnouncedText),
);

/** The one polite region: says 'Generating', then the finished answer. The stream itself is not read out. */
function TranscriptAnnouncer({ last, isAnswering }: { last: Message | undefined; isAnswering: boolean }) {
  const wasLive = useEver(isAnswering);
  const isAnswer = wasLive && !isAnswering && last?.role === "assistant";
  return (
    <output className="sr-only">
      {isAnswering && "Generating"}
      {isAnswer && (last.error?.message || <TranscribedText key={last.id} markdown={last.content} />)}
    </output>
  );
}

/** How long a message that was landed on stays marked, in milliseconds. */
const MARKED_MS = 2_400;

type Place = { scroller: RefObject<HTMLElement | null>; isDrawn: (messageId: string) => boolean; toPlace: () => void };

/** Goes to the message to land on once it is drawn, and marks it for a moment. */
function useLandingPlace(chatId: string, { scroller, isDrawn, toPlace }: Place): void {
  const landing = useKeyed(landings, chatId);
  const isThere = landing !== null && isDrawn(landing.messageId);
  useLayoutEffect(() => {
    if (!landing || !isThere || !takeLanding(landing)) return undefined;
    toPlace();
    const turn = scroller.current?.querySelector<HTMLElement>(`[data-message="${landing.messageId}"]`);
    turn?.setAttribute("data-landed", "");
    const timer = setTimeout(() => turn?.removeAttribute("data-landed"), MARKED_MS);
    return () => {
      clearTimeout(timer);
      turn?.removeAttribute("data-landed");
    };
  }, [landing, isThere, scroller, toPlace]);
}
