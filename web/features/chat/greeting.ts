import type { Features, User } from "#shared/entities/user.ts";
import { partOfDay } from "#web/lib/format.ts";

/** A greeting for this time of day, with the first name of someone signed in. */
export function greetingFor(now: Date, user: User | null): string {
  const firstName = user && !user.anonymous ? user.display_name.trim().split(/\s+/)[0] : "";
  return firstName ? `Good ${partOfDay(now)}, ${firstName}` : `Good ${partOfDay(now)}`;
}

/** What the home screen says to someone who is not signed in; null when there is nothing to say. */
export function invitationFor(features: Features, user: User | null): string | null {
  if (user !== null && !user.anonymous) return null;
  const what = "One chat with every model, in one place.";
  const count = features.guestMessagesPerDay;
  if (!features.guests || count === 0) return `${what} Sign in to start.`;
  return `${what} ${count} free ${count === 1 ? "message" : "messages"} a day, without an account.`;
}
