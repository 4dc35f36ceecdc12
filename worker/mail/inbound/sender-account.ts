import { accountOfAddress } from "#worker/people/addresses/verified-addresses.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { findUser, type UserRow } from "#worker/people/users/users.ts";

/** The account whose word a mail from this proven address is; null where nobody has proven it, and for a blocked account. */
export async function senderAccount(db: Database, address: string): Promise<UserRow | null> {
  const id = await accountOfAddress(db, address);
  const person = id === null ? undefined : await findUser(db, id);
  return person?.blocked_at === null ? person : null;
}
