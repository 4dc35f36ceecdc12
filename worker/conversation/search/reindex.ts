import * as z from "zod/mini";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { listReachableChatIds } from "./queries.ts";

export { listReachableChatIds } from "./queries.ts";

/** Chats that one run of the job looks after, and rooms asked at once. */
const A_RUN = 60;
const ROOMS_AT_ONCE = 6;
/** How long one run reads texts, in milliseconds, and how many such runs there are at most: rooms that fail for good must not keep it going. */
const READING_MS = 20_000;
const READINGS_MAX = 100;
/** How long, in seconds, rooms that failed rest. */
const REST_SECONDS = 15;

/** `start` drops what there is; `list` goes on above a chat's id; `read` counts the runs that read texts. */
const Step = z.discriminatedUnion("name", [
  z.object({ name: z.literal("start") }),
  z.object({ name: z.literal("list"), after: z.string() }),
  z.object({ name: z.literal("read"), run: z.number() }),
]);
type Step = z.infer<typeof Step>;

/** Builds a user's search index again from the relational database and the rooms, one step a run; each step may come more than once. */
export const reindexJob = job("reindex", z.object({ userId: z.string(), step: Step }), async (env, { userId, step }) => {
  const next = await runStep(env, userId, step);
  if (next)
    await enqueue(env, reindexJob, { userId, step: next }, next.name === "read" && next.run > 0 ? { delaySeconds: REST_SECONDS } : {});
});

async function runStep(env: Env, userId: string, step: Step): Promise<Step | null> {
  const hub = hubOf(env, userId);
  switch (step.name) {
    case "start":
      await hub.rebuildSearch(null);
      return { name: "list", after: "" };
    case "list":
      return listChats(env, userId, step.after);
    case "read":
      if (await hub.rebuildSearch(READING_MS)) return null;
      if (step.run < READINGS_MAX) return { name: "read", run: step.run + 1 };
      log.error("a search index was not built whole", { userId });
      return null;
  }
}

/** Has the rooms report the chats that the hub's list lacks. */
async function listChats(env: Env, userId: string, after: string): Promise<Step> {
  const hub = hubOf(env, userId);
  const ids = await listReachableChatIds(openDatabase(env.DB), userId, { after, limit: A_RUN });
  for (let next = 0; next < ids.length; next += ROOMS_AT_ONCE) {
    await Promise.all(
      ids.slice(next, next + ROOMS_AT_ONCE).map(async (chatId) => {
        if ((await hub.find(chatId)) === null) await roomOf(env, chatId).reportTo(userId);
      }),
    );
  }
  const last = ids.at(-1);
  return last === undefined || ids.length < A_RUN ? { name: "read", run: 0 } : { name: "list", after: last };
}
