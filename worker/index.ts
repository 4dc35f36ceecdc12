import { app } from "./app.ts";
import { FEATURES } from "./features.ts";
import { ChatRoom as Room } from "#worker/conversation/chat-room/chat-room.ts";
import { UserHub as Hub } from "#worker/conversation/user-hub/user-hub.ts";
import type { Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { log } from "#worker/platform/log.ts";
import { plainError } from "#worker/platform/errors/plain-error.ts";

export { DriveIndex } from "#worker/integrations/google/drive/drive-index/drive-index.ts";
export { PassageIndex } from "#worker/library/passages/passage-index/passage-index.ts";
export { RateLimiter } from "#worker/platform/rate-limiter/rate-limiter.ts";

/** The rooms and hubs of this deployment, with all features. */
export class ChatRoom extends Room {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, FEATURES);
  }
}

export class UserHub extends Hub {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, FEATURES);
  }
}

const mail = loadOnce(() => import("#worker/mail/inbound/receive-mail.ts"));
const jobs = loadOnce(() => import("./jobs.ts"));
const failedJobs = loadOnce(() => import("#worker/platform/jobs/failed-jobs.ts"));
const unfinishedMessages = loadOnce(() => import("#worker/integrations/messaging/resume.ts"));
const unfinishedDeletions = loadOnce(() => import("#worker/account/account-deletion/resume.ts"));
const resets = loadOnce(() => import("#worker/people/invites/monthly-resets.ts"));
const nightly = loadOnce(() => import("./night.ts"));

/** What the crons of wrangler.jsonc are for; any other is the night's. */
const CRONS: Record<string, (env: Env, at: Date) => Promise<void>> = {
  "*/5 * * * *": async (env) => {
    const [failed, messages, deletions] = await Promise.all([failedJobs(), unfinishedMessages(), unfinishedDeletions()]);
    await Promise.all([failed.resendJobs(env), messages.resumeMessages(env), deletions.resumeDeletions(env)]);
  },
  "0 0 1 * *": async (env, at) => (await resets()).enqueueResets(env, at),
};

async function beginNight(env: Env, at: Date): Promise<void> {
  await (await nightly()).beginNight(env, at);
}

/** What comes to nothing outside a request: the platform writes out what is thrown, with all that its message repeats, so it gets to see what the log's list allows. */
async function noted(level: "error" | "warn", failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    log[level](failure, { cause });
    // The cause is what must not go along.
    // oxlint-disable-next-line preserve-caught-error
    throw new Error(plainError(cause).message || failure);
  }
}

// What is no request, and seldom, is loaded when it comes. A mail's sender tries again.
export default {
  fetch: app.fetch,
  email: (message, env) => noted("warn", "a mail was not taken in", async () => (await mail()).receiveMail(message, env)),
  queue: (batch, env) => noted("error", "a batch of jobs was not settled", async () => (await jobs()).runJobs(batch, env)),
  scheduled: ({ cron, scheduledTime }, env) =>
    noted("error", "a cron failed", () => (CRONS[cron] ?? beginNight)(env, new Date(scheduledTime))),
} satisfies ExportedHandler<Env>;
