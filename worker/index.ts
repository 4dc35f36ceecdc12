import { app } from "./app.ts";
import type { Env } from "./env.ts";
import { runJobs } from "./jobs/queue.ts";
import { runNightly } from "./jobs/nightly.ts";

export { ChatRoom } from "./chat-room/chat-room.ts";
export { RateLimiter } from "./rate-limiter/rate-limiter.ts";
export { UserHub } from "./user-hub/user-hub.ts";

export default {
  fetch: app.fetch,
  queue: (batch, env) => runJobs(batch, env),
  scheduled: (_event, env) => runNightly(env),
} satisfies ExportedHandler<Env>;
