import { verifiedAddresses } from "#worker/people/addresses/verified-addresses.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import { findUser } from "#worker/people/users/users.ts";
import { type Recipients, recipientsWithout, replyRecipients } from "./reply-recipients.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";

type Answering = {
  mail: RoomMail;
  /** Whose turn it was: their setting of replies to all holds. */
  userId: string;
  /** Of these addresses, those that mail of the chat came back from. */
  suppressedHere(addresses: readonly string[]): string[];
};

/** Who gets an answer, and those among them who are not the person whose turn it was. */
type AnswerRecipients = { all: Recipients; others: Recipients };

/** Who gets the answer to a mail by the setting of whose turn it was; null where nobody does. */
export async function answerRecipients(env: Env, { mail, userId, suppressedHere }: Answering): Promise<AnswerRecipients | null> {
  if (mail.is_automatic || mail.authentication?.result !== "pass") return null;
  const db = openDatabase(env.DB);
  const named = [mail.from_addr, ...mail.reply_to_addr, ...mail.to_addr, ...mail.cc_addr];
  const [user, theirs, suppressed] = await Promise.all([findUser(db, userId), verifiedAddresses(db, userId), suppressedAmong(db, named)]);
  if (!user) return null;
  const allSuppressed = new Set([...suppressed, ...suppressedHere(named)]);
  const isTheirs = (address: string) => theirs.includes(address);
  const all = replyRecipients(
    { from: mail.from_addr, replyTo: mail.reply_to_addr, to: mail.to_addr, cc: mail.cc_addr },
    {
      isToAll: user.triggered_reply_all_enabled,
      isAuthenticated: true,
      isOwn: (address) => isOwnAddress(env, address),
      isTheirs,
      isSuppressed: (address) => allSuppressed.has(address),
    },
  );
  return all && { all, others: recipientsWithout(all, isTheirs) };
}

/** True for an address of this deployment: a chat's, the one that opens chats, and the sender of its own mail. Nothing is answered or written there. */
export function isOwnAddress(env: Env, address: string): boolean {
  const { domain, from } = configOf(env).mail;
  return (domain !== undefined && address.endsWith(`@${domain}`)) || address === from?.email.toLowerCase();
}
