import type { AuditEntry, AuditState } from "#shared/entities/audit.ts";
import type { SecurityEvent } from "#shared/security-events.ts";
import { readInviteCode, showInviteCode } from "#shared/sign-in/invite-code.ts";
import { PLANS, type Plan } from "#shared/plans.ts";
import { counted, rowTime } from "#web/lib/format.ts";

const HOUR_MS = 60 * 60_000;

/** Kinds of security events, as a list of counts names them. */
export const SECURITY_EVENT_LABELS: Record<SecurityEvent, string> = {
  "sign-in": "Sign-ins",
  "new-browser": "Sign-ins from a new browser",
  "sign-out": "Sign-outs",
  "way-in": "Keys, addresses, numbers or sign-ins changed",
  disowned: "‘This wasn’t me’",
  "wrong-code": "Wrong codes and links",
  "wrong-key": "Wrong keys",
  "wrong-signature": "Unsigned webhooks",
  "foreign-id": "Ids of others, or of nothing",
  "foreign-origin": "Requests from other sites",
  refused: "Calls without the right to",
  limited: "Limits reached",
  block: "Accounts blocked",
  blocked: "Tries of blocked accounts",
};

/** When somebody was last here, which is noted at most hourly: `this hour`, `3 h`, then the day. */
export function lastSeen(iso: string, now: Date = new Date()): string {
  const hours = Math.floor((now.getTime() - Date.parse(iso)) / HOUR_MS);
  if (hours < 1) return "this hour";
  if (hours < 12) return `${hours} h`;
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  if (Date.parse(iso) >= midnight) return "today";
  return Date.parse(iso) >= midnight - 24 * HOUR_MS ? "yesterday" : rowTime(iso, now);
}

/** A plan's name in a table. */
export function planLabel(plan: Plan): string {
  return plan === "none" ? "None" : PLANS[plan].name.replace(" plan", "");
}

/** US dollars in whole cents, as an action names them. */
export function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** `November`, or `November 2025` of another year; a month of UTC, e.g. `2026-11`. */
export function monthName(month: string, now: Date = new Date()): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  const isThisYear = month.slice(0, 4) === String(now.getUTCFullYear());
  return new Intl.DateTimeFormat("en", { month: "long", ...(!isThisYear && { year: "numeric" }), timeZone: "UTC" }).format(date);
}

/** The month of UTC before or after one, by a number of months. */
export function monthBeside(month: string, by: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

type Overview = {
  accounts: { count: number; areMore: boolean };
  today: { count: number; areMore: boolean };
  month: string;
  spent: number;
  spent_before: number;
  stuck_jobs: number;
};

/** A count that ends at a limit. */
export function countLabel({ count, areMore }: { count: number; areMore: boolean }): string {
  return `${areMore ? "more than " : ""}${count.toLocaleString("en")}`;
}

/** What an administrator reads first, in a line. */
export function headlineOf({ accounts, today, month, spent, spent_before: before, stuck_jobs: stuck }: Overview): string {
  const people = accounts.count === 1 && !accounts.areMore ? "1 account" : `${countLabel(accounts)} accounts`;
  const sentences = [
    `${capitalised(people)}, ${countLabel(today)} ${today.count === 1 ? "person" : "people"} here today.`,
    `${dollars(spent)} spent in ${monthName(month)}${compared(spent, before, monthName(monthBeside(month, -1)))}.`,
  ];
  if (stuck > 0) sentences.push(`${capitalised(counted(stuck, "job"))} ${stuck === 1 ? "is" : "are"} stuck.`);
  return sentences.join(" ");
}

function compared(spent: number, before: number, month: string): string {
  if (before <= 0) return "";
  const percent = Math.round((spent / before - 1) * 100);
  if (percent === 0) return `, as much as by this day of ${month}`;
  return `, ${Math.abs(percent)} % ${percent > 0 ? "more" : "less"} than by this day of ${month}`;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What somebody did, after their name. */
export function auditActionText({ action, subject, before, after }: Pick<AuditEntry, "action" | "subject" | "before" | "after">): string {
  switch (action) {
    case "user.sign_out":
      return `signed ${subject.name} out everywhere`;
    case "user.block":
      return `blocked ${subject.name}`;
    case "user.unblock":
      return `unblocked ${subject.name}`;
    case "user.delete":
      return `deleted the account of ${subject.name}`;
    case "user.plan":
      return `changed the plan of ${subject.name} from ${planIn(before)} to ${planIn(after)}`;
    case "user.credits":
      return `gave ${dollars(Number(after?.["given"] ?? 0))} of credits to ${subject.name}`;
    case "invite.create":
      return `made an invite, ${inviteSummary(after)}, ${invited(subject.name)}`;
    case "invite.return":
      return `took back an invite, ${inviteSummary(before)}, ${invited(subject.name)}`;
    case "plan.approve":
      return `approved the plan ${planIn(before, "waiting")} of ${subject.name}`;
    case "plan.refuse":
      return `refused the plan ${planIn(before, "waiting")} of ${subject.name}`;
    case "feedback.done":
      return `marked feedback of ${subject.name} as done`;
    case "feedback.reopen":
      return `opened feedback of ${subject.name} again`;
    case "job.retry":
      return `sent a job anew: ${jobLabel(subject.name)}`;
  }
}

function planIn(state: AuditState | null, field = "plan"): string {
  const plan = state?.[field];
  return plan === "team" || plan === "solo" ? planLabel(plan) : planLabel("none");
}

function inviteSummary(state: AuditState | null): string {
  const plan = state?.["plan"];
  const credits = dollars(Number(state?.["credits"] ?? 0));
  return plan === "team" || plan === "solo" ? `${PLANS[plan].name}, ${credits}` : credits;
}

/** By its label, and by its code where it has none. */
function invited(name: string): string {
  return readInviteCode(name) === name ? showInviteCode(name) : `for ${name}`;
}

/** Each field that an action changed: what it was and what it is; one that had nothing and has nothing is left out. */
export function changesOf({ before, after }: Pick<AuditEntry, "before" | "after">): { field: string; from: string; to: string }[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields]
    .map((field) => ({ field, from: formatAuditValue(before?.[field]), to: formatAuditValue(after?.[field]) }))
    .filter(({ from, to }) => from !== "" || to !== "");
}

function formatAuditValue(value: AuditState[string] | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** Kinds of jobs in plain words; one that is missing stands as it is called. */
const JOB_LABELS: Record<string, string> = {
  "file.read": "Read files",
  "guest.purge": "Delete unused guests",
  "guest.merge": "Take a guest's chats along",
  "chat.purge": "Empty deleted chats",
  "chats.delete": "Delete many chats",
  "copy.abandon": "Drop unfinished copies",
  "invites.settle": "Carry out invites",
  "invites.credits": "Give invites' credits",
  "invites.resets": "Begin a month of invites",
  "invitations.take": "Take invitations",
  "list.reconcile": "Compare lists with chats",
  reindex: "Index for search",
  "teams.refresh": "Tell chats of team changes",
  "teams.refresh-page": "Tell chats of team changes, a page",
  "usage.day": "Report a day's usage",
  "mail.read": "Read mails",
  "admin.credits": "Give credits",
  "account.delete": "Delete accounts",
  "account.alert": "Tell owners of ways in",
};

/** A kind of job in plain words. */
export function jobLabel(kind: string): string {
  return JOB_LABELS[kind] ?? (kind === "" ? "No known job" : kind);
}
