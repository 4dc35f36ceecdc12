import { configOf, type Env } from "#worker/platform/env.ts";
import { countOrRefuse, daily } from "#worker/platform/http/rate-limit.ts";

/** How many guests' worth of messages one IP gets (decisions, Guests). */
const GUESTS_PER_IP = 3;

/** Counts a guest's message by guest and by IP, or throws GUEST_LIMIT. */
export async function countGuestMessage(env: Env, { userId, ip }: { userId: string; ip: string }): Promise<void> {
  const { guestMessagesPerDay: perDay } = configOf(env).limits;
  await countOrRefuse(env, `guest-messages:user:${userId}`, daily(perDay), "GUEST_LIMIT");
  await countOrRefuse(env, `guest-messages:ip:${ip}`, daily(perDay * GUESTS_PER_IP), "GUEST_LIMIT");
}

/** Counts a new guest by IP, or throws GUEST_LIMIT: or refused requests without a cookie would still fill the database. */
export async function countNewGuest(env: Env, ip: string): Promise<void> {
  await countOrRefuse(env, `guests:ip:${ip}`, daily(configOf(env).limits.guestMessagesPerDay * GUESTS_PER_IP), "GUEST_LIMIT");
}
