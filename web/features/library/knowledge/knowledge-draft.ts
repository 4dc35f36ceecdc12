import type { DraftWithBase } from "#web/lib/draft-form.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";

/** An entry as its form holds it. */
export type KnowledgeDraft = { name: string; text: string; teamId: string | null };

/** What was written in a form and not saved, by the entry's id, or for a new one by whose it is: closing the dialog does not lose it. */
export const knowledgeDrafts = createKeyedStore<DraftWithBase<KnowledgeDraft> | null>(null);
