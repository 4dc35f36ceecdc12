import { app } from "./app.ts";
import type { Env } from "./env.ts";
import { resendJobs } from "./jobs/failed-jobs.ts";
import { runJobs } from "./jobs/queue.ts";
import { runNightly } from "./jobs/nightly.ts";

export { ChatRoom } from "./chat-room/chat-room.ts";
export { RateLimiter } from "./rate-limiter/rate-limiter.ts";
export { UserHub } from "./user-hub/user-hub.ts";

/** The cron that looks for jobs to send anew; the other one is the night's (wrangler.jsonc). */
const RESEND_CRON = "*/5 * * * *";

export default {
  fetch: app.fetch,
  queue: (batch, env) => runJobs(batch, env),
  scheduled: ({ cron }, env) => (cron === RESEND_CRON ? resendJobs(env) : runNightly(env)),
} satisfies ExportedHandler<Env>;
