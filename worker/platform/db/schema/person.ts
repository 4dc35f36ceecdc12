import { type Placeholder, sql } from "drizzle-orm";
import { additionalEmailCodes, additionalEmails } from "./additional-emails.ts";
import { messagingLinks } from "./messaging.ts";
import { users } from "./users.ts";

/**
 * A user's row, and beside it what a description of them needs, so that one query brings it from a database far away: their proven
 * addresses as JSON, `[address, verified at]` each, the one that they are about to prove at `now` (ISO 8601), and 1 where they have a number.
 */
export function personColumns(now: string | Placeholder) {
  const { email, verified_at: verifiedAt } = additionalEmails;
  const isAwaited = sql`${additionalEmailCodes.user_id} = ${users.id} AND ${additionalEmailCodes.expires_at} > ${now}`;
  return {
    user: users,
    provenJson: sql<string>`(SELECT json_group_array(json_array(${email}, ${verifiedAt})) FROM ${additionalEmails} WHERE ${additionalEmails.user_id} = ${users.id})`,
    awaited: sql<string | null>`(SELECT ${additionalEmailCodes.email} FROM ${additionalEmailCodes} WHERE ${isAwaited})`,
    hasNumber: sql<number>`EXISTS (SELECT 1 FROM ${messagingLinks} WHERE ${messagingLinks.user_id} = ${users.id})`,
  };
}

/** What `personColumns` finds. */
export type PersonRow = { user: typeof users.$inferSelect; provenJson: string; awaited: string | null; hasNumber: number };
