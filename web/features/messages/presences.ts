import type { PresentPerson } from "#shared/live-events.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";

export type Presence = { people: readonly PresentPerson[]; count: number };

export const NOBODY: Presence = { people: [], count: 0 };

/** Who looks at each shared chat, as the hub last told this tab; after a lost connection nobody is known until it is told again. */
export const presences = createKeyedStore<Presence>(NOBODY);
