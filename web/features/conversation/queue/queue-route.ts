import type { MessageQueue } from "#shared/entities/queued-message.ts";
import { createPersistentStore } from "#web/lib/persistent-store.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import * as z from "zod/mini";

type Inserted = { text: string; steps: readonly string[] };
const inserted = z.looseObject({ text: z.string(), steps: z.array(z.string()) });

/** The draft that is to go as one message although it could run in steps, by its composer; it is kept as the draft is. */
export const sentAsOne = createPersistentStore<boolean>("as-one", z.boolean(), false);

/** The steps that a workflow put into a composer, where lines of dashes in what was filled in would be taken for more of them; kept as well. */
export const insertedSteps = createPersistentStore<Inserted | null>("steps", z.nullable(inserted), null);

/** The steps as they were put into a composer; null once the text was changed, and where its own lines show them. */
export function stepsAsInserted(draftKey: string, text: string): readonly string[] | null {
  const insertion = insertedSteps.get(draftKey);
  return insertion !== null && insertion.text.trim() === text.trim() ? insertion.steps : null;
}

/** What stands between steps as they are written. */
export const STEP_BREAK = "\n\n---\n\n";

/** True for a text that may be a chain: cheap enough for every send, as certainty takes code that comes later. */
export function mayBeChain(text: string): boolean {
  return /^---[ \t]*$/m.test(text);
}

/** True while messages wait in a chat that will be sent by themselves: what is written now comes after them. */
export function isQueueActive(chatId: string): boolean {
  const cachedQueue = queryClient.getQueryData<MessageQueue>(keys.queue(chatId));
  return cachedQueue !== undefined && cachedQueue.items.length > 0 && cachedQueue.paused === null;
}
