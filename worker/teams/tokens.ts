import { base64url } from "jose";
import { isUuid } from "#shared/uuid.ts";
import { configOf, type Env } from "../env.ts";
import { signingKey } from "../auth/keys.ts";

const encoder = new TextEncoder();

/** The token of an invitation's link: its id, and an HMAC-SHA256 of it, so that it can be shown again and is stored nowhere. */
export async function tokenOf(env: Env, invitationId: string): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await signingKey(configOf(env), "team-invitation"), encoder.encode(invitationId));
  return `${invitationId}.${base64url.encode(new Uint8Array(signature))}`;
}

/** The id of the invitation that a token is of; null for a token that was not made here. Compares in constant time. */
export async function invitationIdOf(env: Env, token: string): Promise<string | null> {
  const [id = "", signature = ""] = token.split(".");
  if (!isUuid(id) || !/^[\w-]{43}$/.test(signature)) return null;
  const key = await signingKey(configOf(env), "team-invitation");
  return (await crypto.subtle.verify("HMAC", key, base64url.decode(signature), encoder.encode(id))) ? id : null;
}
