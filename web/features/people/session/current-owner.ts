import { keys, queryClient } from "#web/lib/query.ts";
import type { SessionAnswer } from "./use-session.ts";

/** Who a message written now belongs to: an account; null for guests and visitors, whose chats follow whoever signs in here. */
export function currentOwner(): string | null {
  const user = queryClient.getQueryData<SessionAnswer>(keys.session)?.user;
  return user && !user.anonymous ? user.id : null;
}
