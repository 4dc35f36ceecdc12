import * as z from "zod/mini";
import { SECURITY_EVENTS } from "#shared/security-events.ts";
import { Id, Timestamp } from "./ids.ts";

/** Who stands behind a row that administrators see; null where they are gone. */
const Somebody = z.nullable(z.object({ id: Id, display_name: z.string(), email: z.nullable(z.string()) }));

/** An invite of anybody's; credits in US dollars. */
export const AnyInvite = z.object({
  id: Id,
  code: z.string(),
  created_at: Timestamp,
  created_by: Somebody,
  sent_to: z.nullable(z.string()),
  plan: z.enum(["none", "solo", "team"]),
  auto_activate: z.boolean(),
  team_name: z.nullable(z.string()),
  initial_credits: z.number(),
  used_at: z.nullable(Timestamp),
  used_by: Somebody,
});
export type AnyInvite = z.infer<typeof AnyInvite>;

/** What somebody wrote to the operator, a request for a model too. */
export const FeedbackEntry = z.object({
  id: Id,
  message: z.string(),
  created_at: Timestamp,
  done_at: z.nullable(Timestamp),
  from: Somebody,
});
export type FeedbackEntry = z.infer<typeof FeedbackEntry>;

/** A job that failed: one that its queue gave up is a dead letter until somebody has it tried again. */
export const FailedJob = z.object({
  id: z.string(),
  queue: z.string(),
  /** Empty for a message that is no job. */
  kind: z.string(),
  /** What it is about: ids and keys, never content. */
  about: z.record(z.string(), z.string()),
  /** Null where the Worker ended before it could count. */
  attempts: z.nullable(z.number()),
  /** Null where the Worker ended before it could say. */
  cause: z.nullable(z.string()),
  failed_at: Timestamp,
  stuck_at: z.nullable(Timestamp),
  retry_at: z.nullable(Timestamp),
});
export type FailedJob = z.infer<typeof FailedJob>;

/** How a kind of job fares: what its queue tries again by itself, and what it gave up. */
export const JobKind = z.object({
  queue: z.string(),
  kind: z.string(),
  trying: z.number(),
  stuck: z.number(),
  /** The oldest failure. */
  oldest_at: Timestamp,
});
export type JobKind = z.infer<typeof JobKind>;

/** What was spent under a day of UTC, or a model's id; US dollars. */
export const Spent = z.object({ key: z.string(), cost: z.number(), calls: z.number(), tokens: z.number() });
export type Spent = z.infer<typeof Spent>;

/** How often a kind of security event happened: today, and in the last seven days with it, in UTC. */
export const SecurityCount = z.object({ kind: z.enum(SECURITY_EVENTS), today: z.number(), week: z.number() });
export type SecurityCount = z.infer<typeof SecurityCount>;
