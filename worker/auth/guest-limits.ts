import type { Env } from "../env.ts";
import { countOrRefuse, daily, numberFrom } from "../http/rate-limit.ts";

const DEFAULT_MESSAGES_PER_DAY = 10;
/** How many guests' worth of messages one IP gets (decisions, Guests). */
const GUESTS_PER_IP = 3;

/** Free messages a guest gets in a day of UTC; 0 where guests are off. With `SIGNUP=invite` guests are off unless the number is set. */
export function guestMessagesPerDay(env: Pick<Env, "GUEST_MESSAGES_PER_DAY" | "SIGNUP">): number {
  return numberFrom(env.GUEST_MESSAGES_PER_DAY, env.SIGNUP === "invite" ? 0 : DEFAULT_MESSAGES_PER_DAY);
}

/** Counts a guest's message by guest and by IP, or throws GUEST_LIMIT. */
export async function countGuestMessage(env: Env, { userId, ip }: { userId: string; ip: string }): Promise<void> {
  const perDay = guestMessagesPerDay(env);
  await countOrRefuse(env, `guest-messages:user:${userId}`, daily(perDay), "GUEST_LIMIT");
  await countOrRefuse(env, `guest-messages:ip:${ip}`, daily(perDay * GUESTS_PER_IP), "GUEST_LIMIT");
}

/** Counts a new guest by IP, or throws GUEST_LIMIT: or refused requests without a cookie would still fill the database. */
export async function countNewGuest(env: Env, ip: string): Promise<void> {
  await countOrRefuse(env, `guests:ip:${ip}`, daily(guestMessagesPerDay(env) * GUESTS_PER_IP), "GUEST_LIMIT");
}
