/** When the personalization is made again from a memory that changed, and which of its texts were made so. */
import * as z from "zod/mini";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { keepPersonalizationJob } from "#worker/library/personas/personalization-job.ts";

/** It waits this long for more, in milliseconds, and comes once in so many at most. */
const SOON_MS = 10 * 60_000;
const APART_MS = 24 * 60 * 60_000;
/** As many texts are known again as a persona has versions, and the one it has now. */
const REMEMBERED_TEXTS = 21;
/** The row of later work that stands for it. */
export const UPKEEP = "upkeep";

const Hashes = z.array(z.string());

type Deps = { env: Env; sql: SqlStorage; userId: string; due: () => Pick<DueWork<"memory">, "schedule" | "has"> };

export type Upkeep = {
  /** Memory changed: it is made again before long. */
  changed(): Promise<void>;
  /** All was forgotten: what was made of it goes at once. */
  now(): Promise<void>;
  /** It could not be done now, and comes again a day later. */
  later(): Promise<void>;
  /** Its time has come. */
  run(): Promise<null>;
  /** The hashes of the texts that were made so. */
  written(): string[];
  note(hash: string): void;
};

/** The upkeep of one user's personalization. */
export function createUpkeep({ env, sql, userId, due }: Deps): Upkeep {
  const upkeptAt = () => sql.exec<{ at: number | null }>("SELECT memory_upkept_at AS at FROM hub").one().at ?? 0;
  const written = () => Hashes.parse(JSON.parse(sql.exec<{ w: string | null }>("SELECT memory_written AS w FROM hub").one().w ?? "[]"));
  return {
    async changed() {
      if (due().has("memory", UPKEEP)) return;
      await due().schedule("memory", UPKEEP, Math.max(Date.now() + SOON_MS, upkeptAt() + APART_MS));
    },
    now: () => due().schedule("memory", UPKEEP, Date.now()),
    later: () => due().schedule("memory", UPKEEP, Date.now() + APART_MS),
    async run() {
      sql.exec("UPDATE hub SET memory_upkept_at = ?", Date.now());
      await enqueue(env, keepPersonalizationJob, { userId });
      return null;
    },
    written,
    note(hash) {
      sql.exec(
        "UPDATE hub SET memory_written = ?",
        JSON.stringify([...written().filter((one) => one !== hash), hash].slice(-REMEMBERED_TEXTS)),
      );
    },
  };
}
