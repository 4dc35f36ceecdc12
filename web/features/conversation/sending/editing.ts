import type { Message } from "#shared/entities/message.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";

/** The message being rewritten in each chat; it stays open when another version than its own comes to be shown. */
export const editing = createKeyedStore<Message | null>(null);

/** True where a message of the shown path is the edited one, or another version of it, in whose place it is edited. */
export function isVersionOf({ id, sibling_ids: versions }: Message, edited: Message): boolean {
  return id === edited.id || versions.includes(edited.id);
}
