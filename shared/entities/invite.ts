import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

/** A code that opens one account (spec 3); credits in US dollars. */
export const Invite = z.object({
  id: Id,
  code: z.string(),
  created_at: Timestamp,
  /** The creator's own label. */
  sent_to: z.nullable(z.string()),
  /** True where plan and credits hold from the first sign-in; else an administrator approves the plan. */
  auto_activate: z.boolean(),
  team_plan: z.boolean(),
  solo_plan: z.boolean(),
  team_id: z.nullable(Id),
  initial_credits: z.number(),
});
export type Invite = z.infer<typeof Invite>;

/** How many invites a person has left in a month of UTC; `limit` and `left` are null for administrators, who have no limit. */
export const InviteBalance = z.object({
  month: z.string(),
  limit: z.nullable(z.number()),
  left: z.nullable(z.number()),
  /** Made in this month, and how many of those were used. */
  made: z.number(),
  used: z.number(),
  /** When the next month's come; null for who gets none. */
  resets_at: z.nullable(Timestamp),
});
export type InviteBalance = z.infer<typeof InviteBalance>;
