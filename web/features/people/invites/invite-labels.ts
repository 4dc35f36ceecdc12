import type { Invite, InviteBalance } from "#shared/entities/invite.ts";
import { daysUntil, longDate, shortDate } from "#web/lib/format.ts";

const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** The name of a month of UTC: `2026-11` is November. */
function monthName(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString("en", { month: "long", timeZone: "UTC" });
}

/** The balance in a few words: `2 of 3 left in November`. */
export function balanceTitle({ month, limit, left }: InviteBalance): string {
  if (limit === null || left === null) return "No limit";
  if (limit === 0) return "No invites";
  return left === 0 ? "No invites remaining this month" : `${left} of ${limit} left in ${monthName(month)}`;
}

/** What there is to know of the balance beside it. */
export function balanceNote({ month, limit, made, used, resets_at: resetsAt }: InviteBalance): string {
  if (limit === null) return `You are an administrator. ${made} made in ${monthName(month)}, ${used} of them used.`;
  if (limit === 0 || resetsAt === null) return "Your plan came by an invite. Such accounts have none to give.";
  const first = new Date(resetsAt).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  return `${NUMBERS[limit] ?? limit} new ones on ${first}. What is left does not carry over.`;
}

/** An amount as it stands on a badge: `$5`, `$2.50`. */
export function formatDollars(dollars: number): string {
  return `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`;
}

/** What stands below a code: `Hanna Voss, joins Nordlicht Studio, made today`. */
export function inviteNote(
  { sent_to: label, team_name: team, created_at: madeAt, auto_activate: isActive, team_plan, solo_plan }: Invite,
  now: Date = new Date(),
): string {
  const parts = [
    label ?? "",
    team === null ? "" : `joins ${team}`,
    `made ${relativeDay(madeAt, now)}`,
    isActive || !(team_plan || solo_plan) ? "" : "waits for approval once used",
  ];
  const note = parts.filter(Boolean).join(", ");
  return note.charAt(0).toUpperCase() + note.slice(1);
}

function relativeDay(iso: string, now: Date): string {
  const days = 0 - daysUntil(iso, now);
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  const then = new Date(iso);
  if (days < 7) return `on ${then.toLocaleDateString("en", { weekday: "long" })}`;
  return `on ${then.getFullYear() === now.getFullYear() ? shortDate(iso) : longDate(iso)}`;
}

/** What an invite's link is: the home page with its code. */
export function inviteUrl(code: string, origin: string): string {
  return `${origin}/?invite=${code}`;
}
