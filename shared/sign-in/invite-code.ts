/** Invite codes: 12 characters of base32 after Crockford, without the letters that are read as digits; shown in groups of four. */
export const INVITE_CODE_LENGTH = 12;
export const INVITE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A code as it is stored, from how people write it; null for what is none. */
export function readInviteCode(text: string): string | null {
  const plain = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return new RegExp(`^[${INVITE_ALPHABET}]{${INVITE_CODE_LENGTH}}$`).test(plain) ? plain : null;
}

/** A code as it is shown, e.g. `N0RD-7K2M-4QXF`. */
export function showInviteCode(code: string): string {
  return code.match(/.{1,4}/g)?.join("-") ?? code;
}
