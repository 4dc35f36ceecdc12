/** The address that one mail about a waiting call is answered at: it names the chat and a secret of 128 bits, and no other mail has it. */

/** At most 64 characters, as mail servers take no longer local part. */
const LOCAL_PART = /^ok\.([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})\.([\da-z]{25})$/;

/** The secret of a new one: 128 bits in 25 digits to the base 36. */
export function newApprovalToken(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return BigInt(`0x${hex}`).toString(36).padStart(25, "0");
}

/** What stands before the `@`. */
export function approvalLocalPart(chatId: string, token: string): string {
  return `ok.${chatId.replaceAll("-", "")}.${token}`;
}

export type ApprovalPlace = { chatId: string; token: string };

/** The chat and the secret that a local part names; null for any other. */
export function parseApprovalAddress(localPart: string): ApprovalPlace | null {
  const [, ...parts] = LOCAL_PART.exec(localPart) ?? [];
  const token = parts.at(-1);
  return token === undefined ? null : { chatId: parts.slice(0, -1).join("-"), token };
}
