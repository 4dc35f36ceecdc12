import { MEMORY_IMPORT_ENTRIES, MEMORY_LENGTH } from "#shared/limits.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { importMemoriesJob } from "#worker/library/memories/import-memories.ts";
import { askMemory } from "#worker/library/memories/memories.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { addCounts, type ImportResult, counted, type Importing } from "./source.ts";

/** Imports facts that are not there yet, the first as the newest; what they are compared by is worked out in the background. */
export async function importFacts({ env, user: { userId }, importId }: Importing, texts: readonly string[]): Promise<ImportResult> {
  const known = new Set((await askMemory(env, userId, { kind: "list" })).memories.map(({ text }) => text));
  const entries = texts.filter((text) => !known.has(text) && text.length <= MEMORY_LENGTH).slice(0, MEMORY_IMPORT_ENTRIES);
  if (entries.length > 0) {
    const id = await uuidOfName(JSON.stringify(["memories", importId]));
    await askMemory(env, userId, { kind: "import", id, entries: entries.toReversed(), isFromFile: true });
    await enqueue(env, importMemoriesJob, { userId, importId: id });
  }
  return {
    counts: addCounts(counted("memory", "came", entries.length), counted("memory", "here", texts.length - entries.length)),
    notes: [],
  };
}
