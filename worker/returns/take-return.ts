import { findByMailToken } from "../chats/chats.ts";
import { roomOf } from "../chat-room/stub.ts";
import { openDatabase } from "../db/client.ts";
import { configOf, type Env } from "../env.ts";
import { suppress } from "../suppressions/suppressions.ts";
import type { MailReturn } from "./mail-return.ts";

const REASON_LENGTH = 300;

/** Has what a mail service reports stand at the mail, in the chat that sent it; nothing more is sent to who is gone for good. */
export async function takeReturn(env: Env, { sender, ...mailReturn }: MailReturn & { sender: string }): Promise<void> {
  const db = openDatabase(env.DB);
  const { kind, addresses, isForGood, reason } = mailReturn;
  if (isForGood) for (const address of addresses) await suppress(db, address, kind);
  const [localPart = "", domain] = addressOf(sender).split("@");
  const chat = domain === configOf(env).mail.domain ? await findByMailToken(db, localPart) : null;
  if (!chat) return;
  const told = reason?.replaceAll(/\p{Cc}/gu, " ").slice(0, REASON_LENGTH) ?? null;
  await roomOf(env, chat.id).noteReturn({ ...mailReturn, reason: told });
}

/** The address alone of `Name <address>`, in lower case. */
export function addressOf(given: string): string {
  return (/<([^<>]*)>\s*$/.exec(given)?.[1] ?? given).trim().toLowerCase();
}
