import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Message } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { EMPTY_REPLY, type ReplyState, withReply } from "./reply-state.ts";
import { followWhileShown, streams } from "./reply-streams.ts";

/** Holds the connection to a chat's live reply, if there is one, as long as the chat is shown. */
export function useReplyStream(chatId: string, replyId: string | null): void {
  const [failure, setFailure] = useState<{ cause: unknown } | null>(null);
  // For the pane's boundary, as with any part that could not be loaded.
  if (failure) throw failure.cause;
  useEffect(() => (replyId === null ? undefined : followWhileShown(chatId, replyId, (cause) => setFailure({ cause }))), [chatId, replyId]);
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
