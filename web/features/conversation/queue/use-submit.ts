import { useNavigate } from "react-router";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { onceSettings, consumeOnceSettings } from "#web/features/conversation/chat-settings/once-settings.ts";
import { pick } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { clearDraftFiles, restoreDraftFiles } from "#web/features/conversation/composer/draft-files.ts";
import { NEW_CHAT, clearDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { selections } from "#web/features/conversation/composer/prompt-use-store.ts";
import {
  STEP_BREAK,
  isQueueActive,
  mayBeChain,
  insertedSteps,
  sentAsOne,
  stepsAsInserted,
} from "#web/features/conversation/queue/queue-route.ts";
import { type Carried, useSendMessage } from "#web/features/conversation/sending/use-send-message.ts";

/** What is sent from a composer. */
export type Submitted = {
  text: string;
  carried: Carried | null;
  /** The steps after the text, where it is a workflow's first; without it what is written decides. */
  next?: readonly string[];
  /** What a prompt sets: a chat that begins with it, or in a chat under way this message alone. */
  wanted?: ChatSettingsChange;
};

type Chat = { chatId: string | null; modelId: string; isBusy: boolean };

/** Sends what is written at once, or lets it wait its turn, or runs it in steps; what is refused returns to the composer. */
export function useSubmit({ chatId, modelId: ownModelId, isBusy }: Chat): (submitted: Submitted) => void {
  const navigate = useNavigate();
  const send = useSendMessage(chatId);
  return ({ text: written, carried, next: given, wanted }) => {
    const draftKey = chatId ?? NEW_CHAT;
    const inserted = given === undefined && !sentAsOne.get(draftKey) ? stepsAsInserted(draftKey, written) : null;
    const [text, next] = inserted === null ? [written, given] : [inserted[0] ?? "", inserted.slice(1)];
    if (wanted && chatId === null) pick(null, wanted);
    const modelId = (chatId === null && wanted?.model_id) || ownModelId;
    const onceOverrides = consumeOnceSettings(chatId);
    const once = chatId !== null && (onceOverrides || wanted) ? { ...onceOverrides, ...wanted } : null;
    const sendAtOnce = () => send({ content: text, modelId, carried, once });
    const mustQueue = chatId !== null && (isBusy || isQueueActive(chatId));
    const isChain = next === undefined ? mayBeChain(text) && !sentAsOne.get(draftKey) : next.length > 0;
    sentAsOne.set(draftKey, false);
    // Those that are sent now may come back refused.
    if (inserted === null) insertedSteps.set(draftKey, null);
    // What was asked about is asked: a later prompt is about something else.
    selections.set(draftKey, "");
    if (!mustQueue && !isChain) return sendAtOnce();
    const onCreated = (id: string) => void navigate(`/c/${id}`, { replace: true });
    const input = { chatId, content: text, modelId, once, next: next ?? [], carried, isChain, mustQueue, sendAtOnce, onCreated };
    // At once: what is typed while the code comes is the next message.
    clearDraft(draftKey);
    if (carried) clearDraftFiles(draftKey);
    const takeBack = () => {
      writeDraft(draftKey, [text, ...(next ?? [])].join(STEP_BREAK));
      if (carried) restoreDraftFiles(draftKey, carried);
      if (chatId !== null && once) onceSettings.set(chatId, once);
    };
    return void import("#web/features/conversation/queue/enqueue.ts").then(({ enqueue }) => enqueue(input), takeBack);
  };
}
