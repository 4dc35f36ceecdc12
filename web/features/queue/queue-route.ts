import type { MessageQueue } from "#shared/entities/queued-message.ts";
import { createKeptStore } from "#web/lib/kept-store.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import * as shape from "#web/lib/shape.ts";

type Inserted = { text: string; steps: readonly string[] };
const inserted = shape.record<Inserted>({ text: shape.text, steps: shape.listOf(shape.text) });

/** The draft that is to go as one message although it could run in steps, by its composer; it is kept as the draft is. */
export const sentAsOne = createKeptStore<boolean>("as-one", shape.flag, false);

/** The steps that a workflow put into a composer, where lines of dashes in what was filled in would be taken for more of them; kept as well. */
export const insertedSteps = createKeptStore<Inserted | null>("steps", shape.nullable(inserted), null);

/** The steps as they were put into a composer; null once the text was changed, and where its own lines show them. */
export function stepsAsInserted(draftKey: string, text: string): readonly string[] | null {
  const held = insertedSteps.get(draftKey);
  return held !== null && held.text.trim() === text.trim() ? held.steps : null;
}

/** What stands between steps as they are written. */
export const STEP_BREAK = "\n\n---\n\n";

/** True for a text that may be a chain: cheap enough for every send, as certainty takes code that comes later. */
export function mayBeChain(text: string): boolean {
  return /^---[ \t]*$/m.test(text);
}

/** True while messages wait in a chat that will be sent by themselves: what is written now comes after them. */
export function isQueueMoving(chatId: string): boolean {
  const held = queryClient.getQueryData<MessageQueue>(keys.queue(chatId));
  return held !== undefined && held.items.length > 0 && held.paused === null;
}
