import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { followReply } from "#shared/contracts/messages.ts";
import type { Message } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import { address } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { checkConnection } from "./connection.ts";
import { keepSettled } from "./keep-settled.ts";
import { createKeyedStore, useKeyed } from "#web/lib/keyed-store.ts";
import { EMPTY_REPLY, type ReplyState, withReply } from "./reply-state.ts";
import { sendQueued } from "./send-message.ts";
import type { ReplyStream, SourceEvents, StreamDeps } from "./reply-stream.ts";

/** How often text is shown in a hidden tab, in milliseconds; a visible one shows it every frame. */
const HIDDEN_FLUSH_MS = 250;

const streams = createKeyedStore<ReplyStream | null>(null);

/** Holds the connection to a chat's live reply, if there is one, as long as the chat is shown. */
export function useReplyStream(chatId: string, replyId: string | null): void {
  const [failure, setFailure] = useState<{ cause: unknown } | null>(null);
  // For the pane's boundary, as with any part that could not be loaded.
  if (failure) throw failure.cause;

  useEffect(() => {
    if (replyId === null) return undefined;
    let stream: ReplyStream | null = null;
    let isGone = false;
    const follow = async () => {
      const { createReplyStream } = await import("./reply-stream.ts");
      if (isGone) return;
      stream = createReplyStream(streamOf(chatId, replyId));
      streams.set(replyId, stream);
    };
    follow().catch((cause: unknown) => !isGone && setFailure({ cause }));
    return () => {
      isGone = true;
      stream?.close();
      streams.set(replyId, null);
    };
  }, [chatId, replyId]);
}

function streamOf(chatId: string, replyId: string): StreamDeps {
  return {
    open: (events) => openSource(chatId, replyId, events),
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
      keepSettled(chatId, replyId, state);
      void sendQueued();
    },
    onLost: () => void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) }),
  };
}

/** A message as it stands this frame, with the state of its stream while it is live. */
export function useReply(message: Message): { message: Message; reply: ReplyState } {
  const stream = useKeyed(streams, message.id);
  const reply = useSyncExternalStore(
    useCallback((listener: () => void) => stream?.subscribe(listener) ?? (() => undefined), [stream]),
    () => stream?.read() ?? EMPTY_REPLY,
  );
  return useMemo(() => ({ message: isLive(message.status) ? withReply(message, reply) : message, reply }), [message, reply]);
}

function openSource(chatId: string, replyId: string, events: SourceEvents): EventSource {
  const source = new EventSource(address(followReply, { params: { id: chatId, replyId } }));
  source.addEventListener("message", (event: MessageEvent<string>) => events.message(event.data, event.lastEventId));
  source.addEventListener("error", () => {
    void checkConnection();
    events.error(source.readyState === EventSource.CLOSED);
  });
  return source;
}
