/** The numbers that people write from in the messaging app: one number has one account, and an account one number. */
import type { Database } from "#worker/platform/db/client.ts";
import { clearWaUserId, deleteLink, selectLink, selectLinkOf, updateWindow, upsertLink } from "./queries.ts";

/** The app takes free messages for a day after somebody wrote, in milliseconds. */
const WINDOW_MS = 24 * 3_600_000;
/** A window that grows by less is not written again, in milliseconds: people write several messages at once. */
const STEP_MS = 60_000;

/** An account's number: `phone` is E.164 with its plus, `waUserId` the app's own id once they wrote, the times are ISO 8601. */
export type MessagingLink = {
  userId: string;
  phone: string;
  waUserId: string | null;
  verifiedAt: string;
  windowUntil: string | null;
};

/** The number that an account writes from; null for none. */
export async function linkOf(db: Database, userId: string): Promise<MessagingLink | null> {
  return toLink(await selectLink(db, userId));
}

/** Whose number this is, or whose id of the app where no number is given; null for a stranger, as whoever got somebody's old number is. */
export async function findLink(db: Database, sender: { phone: string | null; waUserId: string | null }): Promise<MessagingLink | null> {
  return toLink(await selectLinkOf(db, sender));
}

/** Links a number that its holder has proven to have just now: it leaves the account that had it, and takes the place of this account's other one. */
export async function linkNumber(db: Database, { userId, phone }: { userId: string; phone: string }): Promise<void> {
  await upsertLink(db, { userId, phone, at: new Date().toISOString() });
}

/** Notes that the app has another id of a person from now on, which it sends with what they write next. */
export async function noteNewId(db: Database, sender: { phone: string | null; waUserId: string | null }): Promise<void> {
  await clearWaUserId(db, sender);
}

/** Forgets an account's number: it is a stranger's from then on. */
export async function unlinkNumber(db: Database, userId: string): Promise<void> {
  await deleteLink(db, userId);
}

/** Notes that somebody wrote at a time in epoch milliseconds: they may be answered freely for a day from then. */
export async function noteWritten(
  db: Database,
  link: MessagingLink,
  { at, waUserId }: { at: number; waUserId: string | null },
): Promise<void> {
  const known = link.windowUntil === null ? 0 : Date.parse(link.windowUntil);
  const isNew = waUserId !== null && waUserId !== link.waUserId;
  if (!isNew && at + WINDOW_MS < known + STEP_MS) return;
  await updateWindow(db, { userId: link.userId, until: new Date(at + WINDOW_MS).toISOString(), waUserId });
}

/** True where an account may be answered freely now, which whoever has not written yet may not. */
export function mayAnswer({ windowUntil }: MessagingLink): boolean {
  return windowUntil !== null && Date.parse(windowUntil) >= Date.now();
}

function toLink(row: Awaited<ReturnType<typeof selectLink>>): MessagingLink | null {
  if (!row) return null;
  const { user_id: userId, phone, wa_user_id: waUserId, verified_at: verifiedAt, window_until: windowUntil } = row;
  return { userId, phone, waUserId, verifiedAt, windowUntil };
}
