import * as z from "zod/mini";
import { roomOf } from "#worker/conversation/room/stub.ts";
import type { Env } from "#worker/platform/env.ts";
import { job } from "#worker/platform/jobs/job.ts";

const Status = z.object({
  chatId: z.string(),
  reference: z.string(),
  messageId: z.string(),
  status: z.enum(["sent", "delivered", "read", "failed"]),
  error: z.nullable(z.object({ code: z.number(), details: z.string() })),
});

/** Reports to a chat the status of a message that it sent; these come in any order, and again. */
export const noteStatusJob = job("messaging.status", Status, async (env: Env, { chatId, ...status }) => {
  await roomOf(env, chatId).messaging({ kind: "status", status });
});
