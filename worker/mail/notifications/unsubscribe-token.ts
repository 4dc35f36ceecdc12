import { base64url } from "jose";
import { isUuid } from "#shared/uuid.ts";
import { isSigned, signingKey } from "#worker/people/signing-keys/keys.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { NoticeKind } from "./notice.ts";

/** Whose mails, and of what kind, a token ends. */
export type Unsubscribed = { userId: string; kind: NoticeKind };

/** The token of an unsubscribe link: it says whose mails it ends and of what kind, is signed, and can do nothing else. */
export async function unsubscribeToken(env: Env, { userId, kind }: Unsubscribed): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await signingKey(configOf(env), "unsubscribe"), signed({ userId, kind }));
  return `${userId}.${kind}.${base64url.encode(new Uint8Array(signature))}`;
}

/** What a token ends; null for one that was not made here. Compares in constant time. */
export async function readUnsubscribeToken(env: Env, token: string): Promise<Unsubscribed | null> {
  const [userId = "", given = "", signature = "", ...more] = token.split(".");
  const kind = NoticeKind.safeParse(given);
  if (!kind.success || !isUuid(userId) || !/^[\w-]{43}$/.test(signature) || more.length > 0) return null;
  const meant = { userId, kind: kind.data };
  const shown = { signature: base64url.decode(signature), text: signed(meant) };
  return (await isSigned(configOf(env), "unsubscribe", shown)) ? meant : null;
}

function signed({ userId, kind }: Unsubscribed): Uint8Array {
  return new TextEncoder().encode(`${userId}.${kind}`);
}
