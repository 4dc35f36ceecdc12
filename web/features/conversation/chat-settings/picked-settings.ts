import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { NEW_CHAT } from "#web/features/conversation/composer/drafts.ts";
import { createKeyedStore, useKeyed } from "#web/lib/keyed-store.ts";

/** What a message is sent with: its model always, the rest where the chat does not have it yet. */
export type MessageSettings = ChatSettingsChange & { model_id: string };

const NONE: ChatSettingsChange = {};

/** What was picked on this page and the server does not return yet, by chat. */
const picked = createKeyedStore<ChatSettingsChange>(NONE);

function keyOf(chatId: string | null): string {
  return chatId ?? NEW_CHAT;
}

/** What was picked for a chat's next message (null: the chat to come). */
export function readPicked(chatId: string | null): ChatSettingsChange {
  return picked.get(keyOf(chatId));
}

/** As `readPicked`, kept current. */
export function usePicked(chatId: string | null): ChatSettingsChange {
  return useKeyed(picked, keyOf(chatId));
}

/** Keeps what was picked for a chat, beside what was picked before. */
export function pick(chatId: string | null, change: ChatSettingsChange): void {
  picked.set(keyOf(chatId), { ...readPicked(chatId), ...change });
}

/** Forgets what was picked where it is the same: the chat has it by now, or it was refused. A later choice stays. */
export function forgetPickedSettings(chatId: string | null, settings: ChatSettingsChange): void {
  const picks = readPicked(chatId);
  picked.set(
    keyOf(chatId),
    pickFields(picks, (name) => JSON.stringify(picks[name]) !== JSON.stringify(settings[name])),
  );
}

/** Forgets the model that was picked for the chat to come: it begins with what new chats begin with. */
export function unpickNewModel(): void {
  picked.set(
    NEW_CHAT,
    pickFields(readPicked(null), (name) => name !== "model_id"),
  );
}

/** What a message to a chat is sent with, its model given. */
export function settingsToSend<M extends string | null>(chatId: string | null, modelId: M): ChatSettingsChange & { model_id: M } {
  return { ...readPicked(chatId), model_id: modelId };
}

/** A chat takes another's place, as the one to come is made by its first message: it has what that was sent with and what was picked since, the other nothing. */
export function movePicked(from: string | null, to: string | null, sent: MessageSettings): void {
  const moved = { ...sent, ...readPicked(from) };
  picked.set(keyOf(from), NONE);
  picked.set(keyOf(to), moved);
}

/** A message has gone: what was chosen for it alone is spent. */
export function spendPicked(chatId: string): void {
  picked.set(keyOf(chatId), withoutOneTimeSettings(readPicked(chatId)));
}

/** What of these settings is chosen for one message: a research, as what follows is asked about its report. */
export function oneTimeSettings({ model_id: modelId }: ChatSettingsChange): ChatSettingsChange {
  return modelId === DEEP_RESEARCH_MODEL_ID ? { model_id: modelId } : NONE;
}

/** The others, which hold until something else is chosen. */
export function withoutOneTimeSettings(settings: ChatSettingsChange): ChatSettingsChange {
  const once = oneTimeSettings(settings);
  return pickFields(settings, (name) => !(name in once));
}

/** The fields of an object whose names are kept. */
export function pickFields<T extends object>(fields: T, shouldKeep: (name: Extract<keyof T, string>) => boolean): Partial<T> {
  const result: Partial<T> = { ...fields };
  for (const name in fields) if (!shouldKeep(name)) delete result[name];
  return result;
}
