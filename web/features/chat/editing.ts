import { createKeyedStore } from "#web/lib/keyed-store.ts";

/** The message being rewritten in each chat, by its id. */
export const editing = createKeyedStore<string | null>(null);
