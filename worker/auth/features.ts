import type { Features } from "#shared/entities/user.ts";
import { transcriptionService } from "../clients/transcriber.ts";
import type { Env } from "../env.ts";
import { guestMessagesPerDay } from "./guest-limits.ts";

/** What this deployment offers, from its bindings and variables. */
export function featuresOf(env: Env): Features {
  const messages = guestMessagesPerDay(env);
  return {
    google: Boolean(env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET),
    email: Boolean(env.RESEND_API_KEY) || env.EMAIL !== undefined,
    guests: messages > 0,
    feedback: env.DB !== undefined,
    demo: env.AGGREGATOR_SIMULATED === "true",
    mailbox: env.MAILBOX_SIMULATED === "true",
    transcription: transcriptionService(env) !== null,
    guestMessagesPerDay: messages,
    version: env.VERSION ?? "dev",
  };
}
