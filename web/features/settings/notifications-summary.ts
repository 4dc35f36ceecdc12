import type { User } from "#shared/entities/user.ts";

type Preferences = Pick<User, "notify_replies" | "notify_approvals" | "notify_shares" | "notify_imports">;

/** How many kinds of mails a person gets, in a word: `2 on`. */
export function notificationsSummary(user: Preferences): string {
  const on = [user.notify_replies, user.notify_approvals, user.notify_shares, user.notify_imports].filter(Boolean).length;
  return on === 0 ? "Off" : `${on} on`;
}
