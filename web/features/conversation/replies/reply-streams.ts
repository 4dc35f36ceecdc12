import { followReply } from "#shared/contracts/chat/messages.ts";
import { type ReplyPosition, formatPosition } from "#shared/reply-position.ts";
import { address } from "#web/lib/api.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { createListeners } from "#web/lib/store.ts";
import { checkConnection } from "#web/lib/connection.ts";
import type { ReplyStream, Source, SourceEvents, StreamDeps, TurnAnswer } from "./reply-stream.ts";
import { afterFirstText } from "#web/lib/first-text.ts";
import { updateCachedMessages } from "#web/features/conversation/messages/update-cached-messages.ts";
import { pathOf, replaceMessage } from "#web/features/conversation/messages/message-pages.ts";
import { type ReplyState, isComplete, withReply } from "./reply-state.ts";

/** How often text is shown in a hidden tab, in milliseconds; a visible one shows it every frame. */
const HIDDEN_FLUSH_MS = 250;
/** How long an answer is read that no page shows, in milliseconds: the page may still be on its way. */
const UNSEEN_MS = 5_000;

/** The connections to live replies, by the reply's id. */
export const streams = createKeyedStore<ReplyStream | null>(null);

/** Replies that a page shows. */
const seen = new Set<string>();
const settledReplies = createListeners();

/** Calls back whenever a followed reply has ended. */
export function onReplySettled(listener: () => void): () => void {
  return settledReplies.subscribe(listener);
}

/** Holds a reply's connection as long as it is shown; returns how to let it go. One that its own request opened is gone on with. */
export function followWhileShown(chatId: string, replyId: string, onFailure: (cause: unknown) => void): () => void {
  let isReleased = false;
  seen.add(replyId);
  const follow = async () => {
    const { createReplyStream } = await import("./reply-stream.ts");
    if (!isReleased && streams.get(replyId) === null) streams.set(replyId, createReplyStream(streamOf(chatId, replyId)));
  };
  if (streams.get(replyId) === null) follow().catch((cause: unknown) => !isReleased && onFailure(cause));
  return () => {
    isReleased = true;
    seen.delete(replyId);
    closeStream(replyId);
  };
}

type Answer = {
  chatId: string;
  answer: TurnAnswer;
  createReplyStream: (deps: StreamDeps) => ReplyStream;
  /** Called once its first words are painted, or its end. */
  onFirstText: () => void;
};

/** Follows a reply by the answer to the request that began it. */
export function streamFromResponse({ chatId, answer, createReplyStream, onFirstText }: Answer): void {
  const { replyId } = answer.started;
  closeStream(replyId);
  const { open, ...deps } = streamOf(chatId, replyId);
  let isFirst = true;
  const openFirst = (events: SourceEvents, after: ReplyPosition | null) => {
    if (!isFirst) return open(events, after);
    isFirst = false;
    return answer.connect(events);
  };
  const stream = createReplyStream({ ...deps, open: openFirst });
  const stop = stream.subscribe(() => {
    const { hasContent, settled } = stream.read();
    if (!hasContent && settled === null) return;
    stop();
    requestAnimationFrame(() => setTimeout(onFirstText));
  });
  streams.set(replyId, stream);
  setTimeout(() => !seen.has(replyId) && closeStream(replyId), UNSEEN_MS);
}

function closeStream(replyId: string): void {
  streams.get(replyId)?.close();
  streams.set(replyId, null);
}

function streamOf(chatId: string, replyId: string): StreamDeps {
  return {
    open: (events, after) => openSource({ chatId, replyId, after }, events),
    schedule: (flush) => {
      // Behind a frame's painting, not ahead of it: in one go they would keep a key or a click waiting.
      requestAnimationFrame(() => setTimeout(flush));
      // A hidden tab gets no frames, and a tab may be hidden after asking for one.
      setTimeout(flush, HIDDEN_FLUSH_MS);
    },
    later: (run, delayMs) => {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    onSettled: (state) => {
      storeSettledReply(chatId, replyId, state);
      settledReplies.notify();
    },
    onLost: () => void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) }),
  };
}

type Place = { chatId: string; replyId: string; after: ReplyPosition | null };

function openSource({ chatId, replyId, after }: Place, events: SourceEvents): Source {
  const query = after === null ? {} : { after: formatPosition(after) };
  const source = new EventSource(address(followReply, { params: { id: chatId, replyId }, query }));
  source.addEventListener("message", (event: MessageEvent<string>) => events.message(event.data, event.lastEventId));
  source.addEventListener("error", () => {
    void checkConnection();
    events.error(source.readyState === EventSource.CLOSED);
  });
  return source;
}

/** Keeps with its chat how a reply ended, as its stream reported; what the stream doesn't know is read again. */
export function storeSettledReply(chatId: string, replyId: string, state: ReplyState): void {
  let isCached = false;
  updateCachedMessages(chatId, (pages) => {
    const cached = pathOf(pages).find((message) => message.id === replyId);
    isCached = cached !== undefined;
    return pages && cached ? replaceMessage(pages, withReply(cached, state)) : pages;
  });
  if (!isCached || !isComplete(state)) void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
  void afterFirstText().then(() => queryClient.invalidateQueries({ queryKey: keys.chat(chatId) }));
}
