import { automaticKind } from "./auto-reply.ts";
import { firstHeader, type Header, messageIds } from "./mail-headers.ts";

/** A thread as long as this goes round in circles. */
const LONGEST_THREAD = 100;

/** True for mail that no person wrote to be answered: automatic, bulk or of a list (RFC 3834, RFC 2369), a bounce, or part of a loop. */
export function isAutomatic(
  headers: readonly Header[],
  { from, envelopeFrom, subject }: { from: string; envelopeFrom: string; subject: string },
): boolean {
  return (
    automaticKind({ envelopeFrom, from, subject, headers }) !== null ||
    messageIds(firstHeader(headers, "references")).length >= LONGEST_THREAD
  );
}
