import { signaturesOf } from "#worker/people/signing-keys/keys.ts";
import { configOf, type Env } from "#worker/platform/env.ts";

/** Domains of one provider whose mailboxes leave dots out of a name. */
const WITHOUT_DOTS = new Set(["gmail.com", "googlemail.com"]);

/** The mailbox that an address (normalised) delivers to, as far as addresses show: nothing after a plus, and no dots at Gmail. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const plus = local.indexOf("+", 1);
  const name = plus === -1 ? local : local.slice(0, plus);
  return WITHOUT_DOTS.has(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}

/**
 * What is kept of a mailbox once its account is deleted: a digest under a key that is not in the database, so it reveals no address. The one
 * of now comes first, then those under older keys.
 */
export async function formerMailboxDigests(env: Env, email: string): Promise<string[]> {
  const digests = await signaturesOf(configOf(env), "former-mailbox", new TextEncoder().encode(mailboxOf(email)));
  return digests.map((digest) => `former:${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`);
}
