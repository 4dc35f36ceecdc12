import type { ToolApproval } from "#shared/entities/tool-call.ts";
import { counted, daysUntil, rowTime } from "#web/lib/format.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"];

/** How long ago, as in a sentence: `just now`, `4 minutes ago`, `3 hours ago`, then the row's time. */
export function timeAgo(iso: string, now: Date): string {
  const past = now.getTime() - Date.parse(iso);
  if (past < MINUTE_MS) return "just now";
  if (past < HOUR_MS) return `${counted(Math.floor(past / MINUTE_MS), "minute")} ago`;
  if (past < 12 * HOUR_MS) return `${counted(Math.floor(past / HOUR_MS), "hour")} ago`;
  return rowTime(iso, now);
}

/** When a call is discarded that nobody decides about. */
export function expiryLabel(iso: string, now: Date): string {
  const days = daysUntil(iso, now);
  if (days <= 0) return "expires today";
  return days === 1 ? "expires tomorrow" : `expires in ${days} days`;
}

/** How many calls wait, and in how many chats as far as these are known. */
export function pendingCallsSummary(count: number, chats: number): string {
  const calls = count === 1 ? "One call" : `${NUMBERS[count] ?? count.toLocaleString("en")} calls`;
  const places = chats === 1 ? "one chat" : `${(NUMBERS[chats] ?? chats.toLocaleString("en")).toLowerCase()} chats`;
  return `${calls} from ${places}. Nothing happens until you approve it.`;
}

/** When a mail is deleted that nobody decides about. */
export function mailDeletionLabel(iso: string, now: Date): string {
  const days = daysUntil(iso, now);
  if (days <= 0) return "deleted today";
  return days === 1 ? "deleted tomorrow" : `deleted in ${days} days`;
}

/** What became of a call that waited: one without a decision ended with its reply. */
export function decisionLabel(approval: ToolApproval | null): string {
  if (approval?.isExpired) return "Expired";
  if (approval?.isChangeAsked) return "Changed";
  if (approval?.decision === "always") return "Always allowed";
  if (approval?.decision === "approve") return "Approved";
  return approval?.decision === "discard" ? "Discarded" : "Ended with its reply";
}
