import type { MessageQueue } from "#shared/entities/queued-message.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** The draft that is to go as one message although it could run in steps, by its composer. */
export const sentAsOne = createKeyedStore<boolean>(false);

/** What stands between steps as they are written. */
export const STEP_BREAK = "\n\n---\n\n";

/** True for a text that may be a chain: cheap enough for every send, as telling for sure takes code that comes later. */
export function mayBeChain(text: string): boolean {
  return /^---[ \t]*$/m.test(text);
}

/** True while messages wait in a chat that will be sent by themselves: what is written now comes after them. */
export function isQueueMoving(chatId: string): boolean {
  const held = queryClient.getQueryData<MessageQueue>(keys.queue(chatId));
  return held !== undefined && held.items.length > 0 && held.paused === null;
}
