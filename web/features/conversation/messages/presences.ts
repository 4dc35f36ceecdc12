import type { PresentPerson } from "#shared/live-events.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";

export type Presence = { people: readonly PresentPerson[]; count: number };

export const NOBODY: Presence = { people: [], count: 0 };

/** Who looks at each shared chat, as the hub last said; after a lost connection nobody is known until it says so again. */
export const presences = createKeyedStore<Presence>(NOBODY);
