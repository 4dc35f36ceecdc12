import type { Env } from "#worker/platform/env.ts";
import type { UsableKnowledge } from "#worker/library/knowledge/knowledge.ts";
import type { IndexState } from "#worker/library/passages/passage-index/rpc.ts";
import { indexOf } from "#worker/library/passages/passage-index/stub.ts";

/** An entry with what its reader may find in its index; `documentIds` where that is not all that it holds. */
export type IndexedEntry = UsableKnowledge & { state: IndexState; documentIds?: string[] };

/** Entries with the state of their indexes, without the documents that are not their reader's to see. */
export function describeEntries(env: Env, usable: readonly UsableKnowledge[]): Promise<IndexedEntry[]> {
  return Promise.all(usable.map(async (one) => withoutHidden({ ...one, state: await indexOf(env, one.entry.id).describe() })));
}

function withoutHidden(held: IndexedEntry): IndexedEntry {
  const { state, hiddenIds } = held;
  const documents = state.documents.filter(({ id }) => !hiddenIds.includes(id));
  if (documents.length === state.documents.length) return held;
  const characters = documents.reduce((sum, document) => sum + document.characters, 0);
  return { ...held, state: { ...state, documents, characters }, documentIds: documents.map(({ id }) => id) };
}
