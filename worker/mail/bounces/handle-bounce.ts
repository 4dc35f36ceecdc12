import { findByMailToken } from "#worker/people/owned-chats/owned-chats.ts";
import { roomOf } from "#worker/mail/chat-address/room.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { suppress } from "#worker/people/suppressions/suppressions.ts";
import type { MailReturn } from "#worker/mail/chat-address/room-mail.ts";

const REASON_LENGTH = 300;

/** Has what a mail service reports stand at the mail, in the chat that sent it; nothing more is sent to who is gone for good. */
export async function handleBounce(env: Env, { sender, ...mailReturn }: MailReturn & { sender: string }): Promise<void> {
  const db = openDatabase(env.DB);
  const { kind, addresses, isForGood, reason } = mailReturn;
  if (isForGood) for (const address of addresses) await suppress(db, address, kind);
  const [localPart = "", domain] = addressOf(sender).split("@");
  const chat = domain === configOf(env).mail.domain ? await findByMailToken(db, localPart) : null;
  if (!chat) return;
  const cleanReason = reason?.replaceAll(/\p{Cc}/gu, " ").slice(0, REASON_LENGTH) ?? null;
  await roomOf(env, chat.id).noteReturn({ ...mailReturn, reason: cleanReason });
}

/** The address alone of `Name <address>`, in lower case. */
export function addressOf(given: string): string {
  return (/<([^<>]*)>\s*$/.exec(given)?.[1] ?? given).trim().toLowerCase();
}
