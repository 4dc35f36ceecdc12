import { splitSteps } from "#shared/library/chain.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { addToQueue } from "#shared/contracts/chat/queue.ts";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { Attachment } from "#shared/entities/attachment.ts";
import { reportOffline } from "#web/lib/connection.ts";
import { currentOwner } from "#web/features/people/session/current-owner.ts";
import { isLineWaiting } from "#web/features/conversation/sending/message-owner.ts";
import { outbox } from "#web/features/conversation/sending/outbox.ts";
import { awaitLastShown, lastShownId, recordPrecedingMessage } from "#web/features/conversation/sending/send-message.ts";
import { sendQueued } from "#web/features/conversation/sending/send-queued.ts";
import { type Carried, refusals, sentHere } from "#web/features/conversation/sending/use-send-message.ts";
import { onceSettings } from "#web/features/conversation/chat-settings/once-settings.ts";
import {
  oneTimeSettings,
  withoutOneTimeSettings,
  type MessageSettings,
  movePicked,
  settingsToSend,
  forgetPickedSettings,
} from "#web/features/conversation/chat-settings/picked-settings.ts";
import { rereadSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { readDraftFiles, restoreDraftFiles } from "#web/features/conversation/composer/draft-files.ts";
import { NEW_CHAT, flushDrafts, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { type SessionAnswer, refreshSession } from "#web/features/people/session/use-session.ts";
import { placeToBeginIn } from "#web/features/conversation/filing/begin-place.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { STEP_BREAK, insertedSteps, stepsAsInserted } from "./queue-route.ts";
import { keys, queryClient } from "#web/lib/query.ts";

type Input = {
  /** Null for the chat to come, which the first step makes. */
  chatId: string | null;
  content: string;
  modelId: string;
  once?: ChatSettingsChange | null;
  /** The steps after the first, of a chain that is split already. */
  next?: readonly string[];
  carried: Carried | null;
  isChain: boolean;
  /** False where nothing is before it: what turns out to be one step is then sent as any message. */
  mustQueue: boolean;
  sendAtOnce: () => void;
  onCreated: (chatId: string) => void;
};

/** What this page sends goes out one after another, so it waits in the order in which it was written. */
let line: Promise<void> = Promise.resolve();

/** What failed on its way, by its place and text: tried again under the same id, it is taken once. */
const tried = new Map<string, string>();

/** Lets a message wait its turn, or a chain run step by step. Without a connection a message goes out later; what is refused returns to its composer with the reason. */
export async function enqueue(input: Input): Promise<void> {
  const { chatId, content, modelId, once = null, next = [], carried, isChain, mustQueue, sendAtOnce, onCreated } = input;
  if (!mustQueue && next.length === 0 && splitSteps(content).length === 1) return sendAtOnce();
  const draftKey = chatId ?? NEW_CHAT;
  const place = chatId ?? carried?.chatId ?? crypto.randomUUID();
  const fullText = [content, ...next].join(STEP_BREAK);
  const attempt = `${draftKey} ${fullText}`;
  const id = tried.get(attempt) ?? crypto.randomUUID();
  const settings = settingsToSend(chatId, modelId);
  const { teamId, folderId } = placeToBeginIn();
  refusals.set(draftKey, null);
  const before = line;
  let leave = () => {};
  line = new Promise((resolve) => (leave = resolve));
  // As any message without a connection.
  const waitHere = (to: string, sent?: string) => {
    const message = { id, chatId: to, content, settings, ...(once && { once }), attachments: carried?.files };
    outbox.add({ ...message, follows: lastShownId(to), tried: sent, ownerId: currentOwner(), isFirst: false, state: { kind: "queued" } });
    void recordPrecedingMessage(message);
    forgetPickedSettings(to, oneTimeSettings(settings));
  };
  try {
    await before;
    if (chatId !== null && !isChain && isLineWaiting(chatId)) {
      waitHere(chatId);
      return void sendQueued();
    }
    if (chatId === null) {
      await call(createChat, {
        body: {
          id: place,
          ...withoutOneTimeSettings(settings),
          ...(teamId !== null && { team_id: teamId }),
          ...(folderId !== null && { folder_id: folderId }),
        },
      });
    } else await untilSent(chatId);
    const shown = chatId === null || mustQueue ? null : await awaitLastShown(chatId);
    const body = {
      id,
      content,
      ...(shown && { after_id: shown }),
      ...settings,
      ...(once && { settings_once: once }),
      ...(next.length === 0 ? { chain: isChain } : { next_steps: [...next] }),
      ...(carried && { attachments: carried.files.map((file) => file.id) }),
    };
    await call(addToQueue, { params: { id: place }, body });
    tried.delete(attempt);
    if (stepsAsInserted(draftKey, fullText) !== null) insertedSteps.set(draftKey, null);
    if (chatId === null) settleIn(place, settings, onCreated);
    else forgetPickedSettings(chatId, oneTimeSettings(settings));
    void rereadSettings(place);
    if (!mustQueue) sentHere.set(place, id);
    void queryClient.invalidateQueries({ queryKey: keys.queue(place) });
  } catch (error) {
    if (chatId !== null && !isChain && error instanceof ApiError && error.code === "OFFLINE") {
      // Under the same id, in case it arrived after all.
      waitHere(chatId, content);
      return reportOffline();
    }
    tried.set(attempt, id);
    const { code, message } = refusalOf(error);
    takeBack(draftKey, fullText, carried && { chatId: carried.chatId, files: carried.files });
    if (chatId !== null && once) onceSettings.set(chatId, once);
    refusals.set(draftKey, { code, message, modelId: once?.model_id ?? modelId });
  } finally {
    leave();
  }
}

function refusalOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof ApiError)) return { code: "INTERNAL", message: "Something went wrong. Try again." };
  if (error.code !== "OFFLINE") return error;
  reportOffline();
  return {
    code: error.code,
    message: "Not sent, as you're offline. The steps are in the message box: send them when the connection is back.",
  };
}

/** A chat that this page has just made: what it is set to is kept, and a visitor is a guest by now. */
function settleIn(chatId: string, settings: MessageSettings, onCreated: (chatId: string) => void): void {
  movePicked(null, chatId, settings);
  forgetPickedSettings(chatId, oneTimeSettings(settings));
  onCreated(chatId);
  const session = queryClient.getQueryData<SessionAnswer>(keys.session);
  if (session && !session.user) void refreshSession();
}

/** Puts a message back where it was written, before whatever was begun there since. */
function takeBack(draftKey: string, content: string, files: { chatId: string; files: Attachment[] } | null): void {
  const since = readDraft(draftKey);
  writeDraft(draftKey, since === "" ? content : `${content}\n${since}`);
  if (files && readDraftFiles(draftKey).files.length === 0) restoreDraftFiles(draftKey, files);
  flushDrafts();
}

/** Resolves when nothing of this page is on its way to the chat: a chat that is being made must be there first. */
function untilSent(chatId: string): Promise<void> {
  const isUnderWay = () => outbox.ofChat(chatId).some((send) => send.state.kind === "sending");
  return new Promise((resolve) => {
    if (!isUnderWay()) return resolve();
    const stop = outbox.subscribe(() => {
      if (isUnderWay()) return;
      stop();
      resolve();
    });
  });
}
