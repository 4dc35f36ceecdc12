/** The token of a sign-in mail's link: a secret, and the address that it signs in, which the page names before it does. */

/** A link's token; the secret has no dot. */
export function makeLinkToken(secret: string, email: string): string {
  return `${secret}.${email}`;
}

/** The address in a link's token, to be shown; only the server knows whether the token is a good one. Null for what is none. */
export function addressInToken(token: string): string | null {
  return /^[\w-]{43}\.(\S+@\S+)$/.exec(token)?.[1] ?? null;
}
