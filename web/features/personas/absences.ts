import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";

/** So many are remembered, the latest ones. */
const KEPT = 100;

const said = stored<string[]>("absent-personas", shape.listOf(shape.text), []);

/** Which chats were said to name a persona that is gone or another's, and which one: each once in a browser. */
export const saidAbsences = {
  has: (chatId: string, personaId: string): boolean => said.read().includes(`${chatId} ${personaId}`),
  add(chatId: string, personaId: string): void {
    if (!saidAbsences.has(chatId, personaId)) said.write([...said.read(), `${chatId} ${personaId}`].slice(-KEPT));
  },
};

/** What is said: where others write too the persona may be theirs, in a chat of one's own it was deleted. */
export function absenceText({ isShared, instead }: { isShared: boolean; instead: string | null }): string {
  const what = isShared ? "This chat's persona is not yours to use, or gone." : "This chat's persona is gone.";
  return `${what} Your messages are answered ${instead === null ? "without one" : `as ${instead}`}.`;
}
