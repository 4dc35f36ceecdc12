import { mailTokenOf, renewMailToken } from "#worker/people/owned-chats/owned-chats.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";

/** The local part of the address that opens a new chat. */
export const NEW_CHAT = "new";

/** The address of a local part in this deployment; null where it takes no mail. */
export function addressOf(env: Env, localPart: string | null): string | null {
  const { domain } = configOf(env).mail;
  return domain === undefined || localPart === null ? null : `${localPart}@${domain}`;
}

/** Where a chat is written to; null where this deployment takes no mail. */
export async function chatAddress(env: Env, db: Database, chatId: string): Promise<string | null> {
  return configOf(env).mail.domain === undefined ? null : addressOf(env, await mailTokenOf(db, chatId));
}

export async function renewAddress(env: Env, db: Database, chatId: string): Promise<string | null> {
  return addressOf(env, await renewMailToken(db, chatId));
}
