import { useEffect, useMemo, useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ApiError } from "#web/lib/api.ts";
import { branches, withBranch } from "#web/features/conversation/sending/change-turn.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { pathOf } from "#web/features/conversation/messages/message-pages.ts";
import { type PendingSend, useOutbox } from "#web/features/conversation/sending/outbox.ts";
import { isBeingEdited, isBeingEditedHere } from "#web/features/conversation/sending/editing-locks.ts";
import { awaitingFirstText, isStoredAsWritten, confirmStored } from "#web/features/conversation/sending/send-message.ts";
import { sendQueued } from "#web/features/conversation/sending/send-queued.ts";
import { useChat } from "#web/features/conversation/messages/use-chat.ts";
import { useMessages } from "#web/features/conversation/messages/use-messages.ts";
import { wasNeverCreated } from "#web/features/conversation/sending/use-send-message.ts";

/** What is known of a chat: `missing` is one that does not exist or is not the caller's, `public` one that strangers read on its page. */
export type TranscriptState =
  | { kind: "loading" }
  | { kind: "missing" }
  | { kind: "public" }
  | { kind: "failed"; message: string }
  | { kind: "ready" };

/** Everything a chat's pane shows: its path, what is not sent yet, and whether a reply is being written. */
export function useTranscript(chatId: string | null) {
  const { user } = useSession();
  const all = useOutbox(chatId);
  const sends = useMemo(() => all.filter((send) => send.ownerId === null || send.ownerId === user?.id), [all, user?.id]);
  const isBegun = useKeyed(awaitingFirstText, chatId ?? "");
  const isNew = isBegun || sends.some((send) => send.isFirst) || wasNeverCreated(chatId);
  const chat = useChat(chatId, !isNew);
  const messages = useMessages(chatId, !isNew);
  const branch = useKeyed(branches, chatId ?? "");

  const cachedPath = useMemo(() => pathOf(messages.data), [messages.data]);
  const path = useMemo(() => withBranch(cachedPath, branch), [cachedPath, branch]);
  const pending = useMemo(
    () => sends.filter((send) => isBeingEditedHere(send) || !isStoredAsWritten(send, storedOf(send, cachedPath))),
    [sends, cachedPath],
  );
  useForgetArrived(sends, cachedPath);

  const last = cachedPath.at(-1);
  const replyId = branch === null && last && isLive(last.status) ? last.id : null;
  const isBusy = replyId !== null || branch !== null || pending.some((send) => send.state.kind === "sending");
  const hasContent = isNew || messages.data !== undefined;
  return {
    chat: chat.data?.chat ?? null,
    path,
    pending,
    replyId,
    isBusy,
    state: useRefusal(chatId, stateOf(hasContent, messages.error ?? chat.error)),
    retry: () => void Promise.all([chat.refetch(), messages.refetch()]),
    older: { has: messages.hasNextPage, isLoading: messages.isFetchingNextPage, load: () => void messages.fetchNextPage() },
  };
}

function stateOf(hasContent: boolean, error: Error | null): TranscriptState {
  if (error instanceof ApiError && error.code === "PUBLIC_PAGE_ONLY") return { kind: "public" };
  if (error instanceof ApiError && (error.status === 404 || error.status === 401 || error.status === 403)) return { kind: "missing" };
  if (hasContent) return { kind: "ready" };
  return error ? { kind: "failed", message: error.message } : { kind: "loading" };
}

/** A refusal stays said while it is asked again: a query that never had an answer forgets its error meanwhile. */
function useRefusal(chatId: string | null, state: TranscriptState): TranscriptState {
  const [refused, setRefused] = useState<{ chatId: string | null; state: TranscriptState } | null>(null);
  const isRefusal = state.kind === "missing" || state.kind === "public";
  if (isRefusal && (refused?.chatId !== chatId || refused.state.kind !== state.kind)) setRefused({ chatId, state });
  if (!isRefusal && state.kind !== "loading" && refused !== null) setRefused(null);
  return state.kind === "loading" && refused?.chatId === chatId ? refused.state : state;
}

/** A message whose answer got lost on the way here, but which the server has, is no longer pending. */
function useForgetArrived(sends: PendingSend[], cachedPath: Message[]): void {
  useEffect(() => {
    const arrived = sends.filter((send) => send.state.kind !== "sending" && !isBeingEdited(send));
    for (const send of arrived) {
      const stored = storedOf(send, cachedPath);
      if (!stored) continue;
      confirmStored(send, stored);
      // Where it was rewritten meanwhile, its other version.
      void sendQueued();
    }
  }, [sends, cachedPath]);
}

function storedOf({ id }: PendingSend, cachedPath: Message[]): Message | undefined {
  return cachedPath.find((message) => message.id === id);
}
