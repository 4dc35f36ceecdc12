import { base64url } from "jose";
import { CODE_LENGTH } from "#shared/limits.ts";

/** An unguessable token of 256 bits as 43 base64url characters. */
export function randomToken(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

/** SHA-256 of a text as 43 base64url characters. */
export async function sha256(text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** A sign-in code: six digits, each value equally likely. */
export function randomCode(fill: (words: Uint32Array<ArrayBuffer>) => void = (words) => crypto.getRandomValues(words)): string {
  const values = 10 ** CODE_LENGTH;
  // A plain remainder would favour low codes: words above the last whole multiple are drawn again.
  const limit = Math.floor(2 ** 32 / values) * values;
  const word = new Uint32Array(1);
  let drawn: number;
  do {
    fill(word);
    drawn = word[0] ?? limit;
  } while (drawn >= limit);
  return String(drawn % values).padStart(CODE_LENGTH, "0");
}
