import * as z from "zod/mini";
import type { MemoryImport } from "#shared/entities/memory.ts";
import { MEMORY_IMPORTS_PER_HOUR } from "#shared/limits.ts";
import { importReport, splitMemories } from "#shared/memory-import.ts";
import type { Env } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { noteDoneJob } from "#worker/people/done-jobs/note-done-job.ts";
import { embedAllFacts, embedFacts } from "./embed-facts.ts";
import { embedMissingFacts } from "./embed-missing-facts.ts";
import { askMemory } from "./memories.ts";

/** The queue tries a job so often again before it gives it up (wrangler.jsonc). */
const RETRIES = 5;
/** A list is compared by its words alone, as facts without credit are, once its meaning was not to be had so often. */
const EMBEDDING_TRIES = 3;
/** Where a list's report stands. */
const PLACE = { what: "import", title: "List of memories", path: "/?settings=memory" } as const;

/** Adds the facts of a list, a part at a time, and notifies their person when it is over; each part knows where the one before ended, so a repeat adds nothing twice. */
export const importMemoriesJob = job(
  "import-memories",
  z.object({ userId: z.string(), importId: z.string() }),
  async (env, { userId, importId: id }, attempt) => {
    try {
      const embed = attempt > EMBEDDING_TRIES ? embedFacts : embedAllFacts;
      if (attempt <= EMBEDDING_TRIES) await embedMissingFacts(env, userId);
      let ended = await step(env, { userId, id, embed });
      while (ended?.state === "running") ended = await step(env, { userId, id, embed });
      // It was erased with the memory.
      if (!ended) return;
      await noteDoneJob(env, userId, { ...PLACE, id: `memory-import:${id}`, isOk: true, summary: `${importReport(ended)}.` });
    } catch (cause) {
      const detail = "What was added of it so far is kept.";
      if (attempt > RETRIES) await noteDoneJob(env, userId, { ...PLACE, id: `memory-import-failed:${id}`, isOk: false, summary: detail });
      throw cause;
    }
  },
);

type Step = { userId: string; id: string; embed: typeof embedFacts };

async function step(env: Env, { userId, id, embed }: Step): Promise<MemoryImport | null> {
  const { texts } = await askMemory(env, userId, { kind: "importNext", id });
  const embeddings = (await embed(env, userId, texts)) ?? undefined;
  return (await askMemory(env, userId, { kind: "importStep", id, embeddings })).lastImport;
}

/** Takes a pasted list of facts, to be added in the background. Throws RATE_LIMITED. */
export async function importMemories(env: Env, userId: string, text: string): Promise<{ id: string; count: number }> {
  await countOrRefuse(env, `memory-imports:${userId}`, hourly(MEMORY_IMPORTS_PER_HOUR), "RATE_LIMITED");
  const { entries } = splitMemories(text);
  const id = crypto.randomUUID();
  await askMemory(env, userId, { kind: "import", id, entries, isFromFile: false });
  await enqueue(env, importMemoriesJob, { userId, importId: id });
  return { id, count: entries.length };
}
