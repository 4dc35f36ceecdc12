import type { Env } from "../env.ts";
import type { UsableKnowledge } from "../knowledge/knowledge.ts";
import type { IndexState } from "../passage-index/rpc.ts";
import { indexOf } from "../passage-index/stub.ts";

/** An entry with what its reader may find in its index; `documentIds` where that is not all that it holds. */
export type Held = UsableKnowledge & { state: IndexState; documentIds?: string[] };

/** Entries with the state of their indexes, without the documents that are not their reader's to see. */
export function holdAll(env: Env, usable: readonly UsableKnowledge[]): Promise<Held[]> {
  return Promise.all(usable.map(async (one) => withoutHidden({ ...one, state: await indexOf(env, one.entry.id).describe() })));
}

function withoutHidden(held: Held): Held {
  const { state, hiddenIds } = held;
  const documents = state.documents.filter(({ id }) => !hiddenIds.includes(id));
  if (documents.length === state.documents.length) return held;
  const characters = documents.reduce((sum, document) => sum + document.characters, 0);
  return { ...held, state: { ...state, documents, characters }, documentIds: documents.map(({ id }) => id) };
}
