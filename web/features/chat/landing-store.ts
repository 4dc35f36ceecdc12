import { createKeyedStore } from "./keyed-store.ts";

/** The message to land on, by chat; `arrival` tells one navigation from the next. */
export const landings = createKeyedStore<{ messageId: string; arrival: string } | null>(null);
