import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

/** A code that opens one account; credits in US dollars. */
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
  /** The name of that team, in lists. */
  team_name: z.nullable(z.string()),
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
  /** US dollars that an invite gives where nothing else is chosen. */
  default_credits: z.number(),
});
export type InviteBalance = z.infer<typeof InviteBalance>;

/** What a code brings, for whoever has it. */
export const InvitePreview = z.object({
  team_plan: z.boolean(),
  solo_plan: z.boolean(),
  /** False where its plan waits for an administrator's approval. */
  auto_activate: z.boolean(),
  team_name: z.nullable(z.string()),
  credits: z.number(),
  /** What became of it where the reader has used it; null while it is open. */
  used: z.nullable(z.enum(["active", "waits", "refused"])),
});
export type InvitePreview = z.infer<typeof InvitePreview>;

/** A plan that came by an invite and waits for an administrator's approval. */
export const WaitingPlan = z.object({
  invite_id: Id,
  user_id: Id,
  display_name: z.string(),
  email: z.nullable(z.string()),
  team_plan: z.boolean(),
  solo_plan: z.boolean(),
  /** What its invite gave at once, in US dollars. */
  credits: z.number(),
  /** Since when it waits. */
  used_at: Timestamp,
  /** Who made its invite. */
  invited_by: z.string(),
});
export type WaitingPlan = z.infer<typeof WaitingPlan>;
