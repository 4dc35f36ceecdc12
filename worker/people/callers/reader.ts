import * as z from "zod/mini";
import type { Caller } from "#worker/platform/env.ts";

/** Who asks the room: the room itself decides what they may. */
export const Reader = z.object({
  userId: z.string(),
  displayName: z.string(),
  sessionId: z.string(),
  /** When the session ends unless it is used again, in epoch milliseconds, where that is known. */
  endsAt: z.optional(z.number()),
  /** True for a guest: the house pays. */
  anonymous: z.boolean(),
});
export type Reader = z.infer<typeof Reader>;

export function readerOf(caller: Caller): Reader {
  const { userId, displayName, sessionId, endsAt, anonymous } = caller;
  return { userId, displayName, sessionId, anonymous, ...(endsAt !== undefined && { endsAt }) };
}
