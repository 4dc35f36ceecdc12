/** Whose a mail address is: what mail coming in and going out needs to know of people's addresses. */
import type { Database } from "../db/client.ts";
import { findOwner, listVerified } from "./queries.ts";

/** Every address that a user has proven, in lower case: their account's own first, then the additional ones; none for a guest. */
export async function verifiedAddresses(db: Database, userId: string): Promise<string[]> {
  return listVerified(db, userId);
}

/** The id of the one account that has proven this address, as its own or as an additional one; null where nobody has. */
export async function accountOfAddress(db: Database, address: string): Promise<string | null> {
  return (await findOwner(db, address.trim().toLowerCase())) ?? null;
}
