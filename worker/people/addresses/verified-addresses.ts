/** Whose a mail address is: what mail coming in and going out needs to know of people's addresses. */
import type { AdditionalEmails } from "#shared/entities/user.ts";
import { ADDITIONAL_EMAILS_MAX } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { findOwner, listAdditional, listVerified } from "./queries.ts";

/** Every address that a user has proven, in lower case: their account's own first, then the additional ones; none for a guest. */
export async function verifiedAddresses(db: Database, userId: string): Promise<string[]> {
  return listVerified(db, userId);
}

/** The id of the one account that has proven this address, as its own or as an additional one; null where nobody has. */
export async function accountOfAddress(db: Database, address: string): Promise<string | null> {
  return (await findOwner(db, address.trim().toLowerCase())) ?? null;
}

/** A user's additional addresses, oldest first, and last the one whose code is still awaited. */
export async function additionalEmailsOf(db: Database, userId: string): Promise<AdditionalEmails> {
  return listAdditional(db, userId, new Date().toISOString());
}

export async function hasRoom(db: Database, userId: string): Promise<boolean> {
  const all = await additionalEmailsOf(db, userId);
  return all.filter(({ verified_at: at }) => at !== null).length < ADDITIONAL_EMAILS_MAX;
}
