import { app } from "./app.ts";
import type { Env } from "./env.ts";
import { enqueueResets } from "./invites/resets.ts";
import { resendJobs } from "./jobs/failed-jobs.ts";
import { runJobs } from "./jobs/queue.ts";
import { runNightly } from "./jobs/nightly.ts";

export { ChatRoom } from "./chat-room/chat-room.ts";
export { PassageIndex } from "./passage-index/passage-index.ts";
export { RateLimiter } from "./rate-limiter/rate-limiter.ts";
export { UserHub } from "./user-hub/user-hub.ts";

/** What the crons of wrangler.jsonc are for; any other is the night's. */
const CRONS: Record<string, (env: Env, at: Date) => Promise<void>> = { "*/5 * * * *": resendJobs, "0 0 1 * *": enqueueResets };

export default {
  fetch: app.fetch,
  // Reading mail is loaded with the first mail.
  email: async (message, env) => (await import("./mail/receive-mail.ts")).receiveMail(message, env),
  queue: (batch, env) => runJobs(batch, env),
  scheduled: ({ cron, scheduledTime }, env) => (CRONS[cron] ?? runNightly)(env, new Date(scheduledTime)),
} satisfies ExportedHandler<Env>;
