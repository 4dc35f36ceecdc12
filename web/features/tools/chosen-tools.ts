import { createKeyedStore } from "#web/lib/keyed-store.ts";

/** Where the choice for the chat that does not exist yet is kept. */
export const NEW_CHAT = "new";

/** The tool categories that were picked on this page and that the server does not have yet, by chat; null where there are none. */
export const chosenTools = createKeyedStore<readonly string[] | null>(null);

/** The first message makes the chat: what was picked for the one to come is that chat's, and the next one starts from the defaults. */
export function moveChosenTools(from: string, to: string): void {
  const chosen = chosenTools.get(from);
  chosenTools.set(from, null);
  if (chosen) chosenTools.set(to, chosen);
}

/** The server has a choice: only a later one is still news. */
export function forgetChosenTools(chatId: string, sent: readonly string[]): void {
  const chosen = chosenTools.get(chatId);
  if (chosen && chosen.join() === sent.join()) chosenTools.set(chatId, null);
}
