import * as z from "zod/mini";
import { MEMORY_IMPORTS_PER_HOUR } from "#shared/limits.ts";
import { splitMemories } from "#shared/memory-import.ts";
import type { Env } from "../env.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { enqueue, job } from "../jobs/job.ts";
import { askMemory } from "./memories.ts";

/** Adds the facts of a list, a part at a time; each part knows where the one before ended, so that a repeat adds nothing twice. */
export const importMemoriesJob = job("import-memories", z.object({ userId: z.string(), importId: z.string() }), async (env, payload) => {
  const { userId, importId: id } = payload;
  let state = "running";
  while (state === "running") {
    const { lastImport } = await askMemory(env, userId, { kind: "importStep", id });
    state = lastImport?.state ?? "done";
  }
});

/** Takes a pasted list of facts, to be added in the background. Throws RATE_LIMITED. */
export async function importMemories(env: Env, userId: string, text: string): Promise<{ id: string; count: number }> {
  await countOrRefuse(env, `memory-imports:${userId}`, hourly(MEMORY_IMPORTS_PER_HOUR), "RATE_LIMITED");
  const { entries } = splitMemories(text);
  const id = crypto.randomUUID();
  await askMemory(env, userId, { kind: "import", id, entries });
  await enqueue(env, importMemoriesJob, { userId, importId: id });
  return { id, count: entries.length };
}
