import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { deleteGuestRow, type UserRow } from "../users/queries.ts";
import { listOwnChatIds, moveChat } from "./queries.ts";

/** Moves what a guest has to the account it signed in to. Run again after a failure, it goes on where it stopped. */
export async function mergeGuest(_env: Env, db: Database, { guestId, account }: { guestId: string; account: UserRow }): Promise<void> {
  for (const chatId of await listOwnChatIds(db, guestId)) {
    await moveChat(db, chatId, { from: guestId, to: account.id });
  }
  await deleteGuestRow(db, guestId);
}
