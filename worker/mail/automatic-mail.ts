import { firstHeader, type Header, messageIds } from "./mail-headers.ts";

/** Senders that are no person. */
const NO_PERSON = /^(?:mailer-daemon|postmaster|(?:do[-_.]?)?no[-_.]?reply|bounces?)(?:[+.-][^@]*)?@/i;
/** A thread as long as this goes round in circles. */
const LONGEST_THREAD = 100;

/** True for mail that no person wrote to be answered: automatic, bulk or of a list (RFC 3834, RFC 2369), a bounce, or part of a loop. */
export function isAutomatic(headers: readonly Header[], { from, envelopeFrom }: { from: string; envelopeFrom: string }): boolean {
  const has = (name: string) => headers.some((header) => header.name === name);
  const submitted = firstHeader(headers, "auto-submitted").toLowerCase();
  return (
    isNullSender(envelopeFrom) ||
    NO_PERSON.test(from) ||
    (submitted !== "" && !/^no\b/.test(submitted)) ||
    /bulk|list|junk|auto_reply/i.test(firstHeader(headers, "precedence")) ||
    has("list-id") ||
    has("list-unsubscribe") ||
    has("x-auto-response-suppress") ||
    has("x-autoreply") ||
    has("x-autorespond") ||
    /^\s*multipart\/report/i.test(firstHeader(headers, "content-type")) ||
    messageIds(firstHeader(headers, "references")).length >= LONGEST_THREAD
  );
}

/** True for the sender of a bounce. */
export function isNullSender(envelopeFrom: string): boolean {
  return envelopeFrom.replaceAll(/[<>\s]/g, "") === "";
}
