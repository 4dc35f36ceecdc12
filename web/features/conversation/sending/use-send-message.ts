import { useCallback, useEffect } from "react";
import { useNavigate } from "react-router";
import type { Attachment } from "#shared/entities/attachment.ts";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { onceSettings } from "#web/features/conversation/chat-settings/once-settings.ts";
import {
  oneTimeSettings,
  movePicked,
  pick,
  settingsToSend,
  spendPicked,
} from "#web/features/conversation/chat-settings/picked-settings.ts";
import { clearDraftFiles, readDraftFiles, restoreDraftFiles } from "#web/features/conversation/composer/draft-files.ts";
import { NEW_CHAT, clearDraft, flushDrafts, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { placeToBeginIn } from "#web/features/conversation/filing/begin-place.ts";
import { connection } from "#web/lib/connection.ts";
import { createKeyedStore, useKeyed } from "#web/lib/keyed-store.ts";
import { currentOwner } from "#web/features/people/session/current-owner.ts";
import { isLineWaiting } from "./message-owner.ts";
import { sendQueued } from "./send-queued.ts";
import { type PendingSend, outbox } from "./outbox.ts";
import { deliver, lastShownId, movedChats, recordPrecedingMessage } from "./send-message.ts";

/** Why a message came back to the composer. */
export type Refusal = { code: string; message: string; modelId: string };

/** The refusal shown at a composer, by its draft's key. */
export const refusals = createKeyedStore<Refusal | null>(null);

/** The message sent last from this page, by chat: the one that stands at the top while its answer grows. */
export const sentHere = createKeyedStore<string | null>(null);

/** Chats whose first message was refused: they do not exist, and nobody needs to ask. */
const unmade = new Set<string>();

/** True for a chat that this page was about to make and did not. */
export function wasNeverCreated(chatId: string | null): boolean {
  return chatId !== null && (unmade.has(chatId) || movedChats.get(chatId) !== null);
}

const NOWHERE = { teamId: null, folderId: null };

/** Files that a message carries, and the chat that they were uploaded to. */
export type Carried = { chatId: string; files: Attachment[] };

/** A message as it is sent; `once` holds for it alone. */
export type OutgoingMessage = { content: string; modelId: string; carried: Carried | null; once: ChatSettingsChange | null };

/** Sends a text with its files: shows it at once, and for a new chat goes to its address; a refused one returns to its composer. */
export function useSendMessage(chatId: string | null): (message: OutgoingMessage) => void {
  const navigate = useNavigate();
  const movedTo = useKeyed(movedChats, chatId ?? "");
  useEffect(() => {
    if (movedTo === null) return;
    sentHere.set(movedTo, outbox.ofChat(movedTo)[0]?.id ?? null);
    void navigate(`/c/${movedTo}`, { replace: true });
  }, [movedTo, navigate]);
  return useCallback(
    ({ content, modelId, carried, once }: OutgoingMessage) => {
      const draftKey = chatId ?? NEW_CHAT;
      const { teamId, folderId } = chatId === null ? placeToBeginIn() : NOWHERE;
      const send: PendingSend = {
        id: crypto.randomUUID(),
        chatId: chatId ?? carried?.chatId ?? crypto.randomUUID(),
        content,
        settings: settingsToSend(chatId, modelId),
        ...(once && { once }),
        ownerId: currentOwner(),
        isFirst: chatId === null,
        ...(teamId !== null && { teamId }),
        ...(folderId !== null && { folderId }),
        state: { kind: connection().kind === "online" && !isLineWaiting(chatId) ? "sending" : "queued" },
        ...(chatId === null ? { parentId: null } : { follows: lastShownId(chatId) }),
        ...(carried && { attachments: carried.files }),
      };
      unmade.delete(send.chatId);
      refusals.set(draftKey, null);
      outbox.add(send);
      sentHere.set(send.chatId, send.id);
      clearDraft(draftKey);
      if (carried) clearDraftFiles(draftKey);
      if (send.isFirst) {
        movePicked(null, send.chatId, send.settings);
        // The next key that is pressed in the same composer is meant for the chat that this one makes.
        void navigate(`/c/${send.chatId}`, { replace: true, flushSync: true });
      }
      spendPicked(send.chatId);
      if (!send.isFirst) void recordPrecedingMessage(send);
      if (send.state.kind === "queued") return void sendQueued();
      void deliver(send).then((outcome) => {
        if (outcome.kind !== "refused" || !takeBack(send, draftKey)) return;
        refusals.set(draftKey, { code: outcome.code, message: outcome.message, modelId: once?.model_id ?? modelId });
        if (send.isFirst && [send.chatId, movedChats.get(send.chatId)].some((id) => location.pathname === `/c/${id}`)) {
          void navigate("/", { replace: true });
        }
      });
    },
    [chatId, navigate],
  );
}

/** Puts a refused message back where it was written, unless something else has been begun there since. */
function takeBack(send: PendingSend, draftKey: string): boolean {
  if (readDraft(draftKey) !== "" || readDraftFiles(draftKey).files.length > 0) return false;
  if (send.attachments) restoreDraftFiles(draftKey, { chatId: send.chatId, files: send.attachments });
  if (send.isFirst) {
    const chatId = outbox.get(send.id)?.chatId ?? send.chatId;
    unmade.add(chatId);
    movePicked(chatId, null, send.settings);
  } else {
    pick(send.chatId, oneTimeSettings(send.settings));
    if (send.once) onceSettings.set(send.chatId, send.once);
  }
  outbox.remove(send.id);
  writeDraft(draftKey, send.content);
  flushDrafts();
  return true;
}
