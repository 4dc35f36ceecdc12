import type { Run } from "#shared/entities/outbound/run.ts";
import { clockTimeIn } from "#shared/tools/call-hours.ts";

/** What so many minutes cost at most, as dollars with two digits; null where the minutes are no number. */
export function priceFor(minutes: string, perMinute: number): string | null {
  const count = Number(minutes);
  return minutes.trim() === "" || !Number.isFinite(count) || count <= 0 ? null : (count * perMinute).toFixed(2);
}

/** The whole minutes that a price pays for, at least one; null where it is no price. */
export function minutesFor(dollars: string, perMinute: number): number | null {
  const amount = Number(dollars.replace(/^\$/, "").replace(",", "."));
  if (dollars.trim() === "" || !Number.isFinite(amount) || amount <= 0 || perMinute <= 0) return null;
  // A cent that rounding took is no minute less.
  return Math.max(1, Math.floor(amount / perMinute + 0.01));
}

/** When a call goes out that waits: 'at 8:00', 'tomorrow at 8:00', 'on Monday at 8:00', by a zone's own days. */
export function callTimeLabel(at: number, now: number, timeZone?: string): string {
  const part = (time: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone, ...options }).format(time);
  const day = (time: number) => part(time, { dateStyle: "short" });
  const time = `at ${clockTimeIn(timeZone, at)}`;
  if (day(at) === day(now)) return time;
  return day(at) === day(now + DAY_MS) ? `tomorrow ${time}` : `on ${part(at, { weekday: "long" })} ${time}`;
}

const DAY_MS = 24 * 60 * 60_000;

/** How a run stands, in a few words. */
export function runStatusLabel({ kind, state, status, max_minutes: minutes, starts_at: starts }: Run, now = Date.now()): string {
  if (state === "planned") return `Calls ${callTimeLabel(Date.parse(starts ?? ""), now)}`;
  if (state === "starting") return kind === "phone" ? "Dialling" : "Starting";
  if (state === "running") return kind === "phone" ? `On the phone, ${minutes} min at most` : "The agent is at work";
  if (state === "stopped") return status === "cancelled" ? "Call cancelled" : "Hung up";
  if (state === "done") return kind === "phone" ? "Call ended" : "Run finished";
  if (kind === "code") return "Run failed";
  if (status === "not-made") return "Not called";
  return status === "busy" ? "Busy" : status === "no-answer" ? "Nobody answered" : "Call failed";
}

/** How long a call took and what it cost: '0:45', '$0.11'. */
export function runStats({ seconds, cost }: Run): string[] {
  const time = seconds ? [`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`] : [];
  return [...time, ...(cost ? [`$${cost.toFixed(2)}`] : [])];
}
