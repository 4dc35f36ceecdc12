import { createHash } from "node:crypto";

const SEAL = /<!-- made from [0-9a-f]{64} -->\n$/;

/** A file's text with a last line that says what it was made from, so nobody needs to make it again to know whether it still holds. */
export function sealed(text: string, ...sources: string[]): string {
  const digest = createHash("sha256").update(JSON.stringify([text, ...sources]));
  return `${text}<!-- made from ${digest.digest("hex")} -->\n`;
}

/** True for a text that was sealed with the same sources, and not touched since. */
export function holds(found: string, ...sources: string[]): boolean {
  return found === sealed(found.replace(SEAL, ""), ...sources);
}
