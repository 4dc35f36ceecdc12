import { addressParser, decodeWords } from "postal-mime";
import type { MailAuthentication } from "#shared/entities/mail.ts";
import { EMAIL_LENGTH } from "#shared/limits.ts";
import { plainName } from "../attachments/plain-name.ts";
import { isAligned, platformsWord, sealOnTop, shapeOf } from "./authentication.ts";
import { firstHeader, type Header, messageIds, parseHeaders } from "./mail-headers.ts";
import { automaticKind } from "./auto-reply.ts";
import { signersOf, writtenFields } from "./written-fields.ts";

/** Receivers that a mail may name; a list of thousands is no letter. */
const RECEIVERS = 500;
const SUBJECT_LENGTH = 500;
const NAME_LENGTH = 100;
/** A thread's first mails and its last ones. */
const REFERENCES = 100;

/** What a mail's header says, as far as a chat goes by it. */
export type Envelope = {
  from: { address: string; name: string };
  /** Whom its writer named: a copy of a proven mail may have been sent on to others, who stand nowhere or were added. */
  to: string[];
  cc: string[];
  replyTo: string[];
  /** False where it may not be as its writer sent it, though it is proven to be theirs. */
  isWhole: boolean;
  subject: string;
  messageId: string | null;
  inReplyTo: string | null;
  references: string[];
  /** What the fields on top of it say about its sender, which are the platform's where their seal holds. */
  platform: MailAuthentication;
  /** The number of the seal on top of it; null without one. */
  sealed: number | null;
  /** True where it has a signature that may prove its sender. */
  isSigned: boolean;
  /** What stands on top of it, as the log may have it. */
  shape: string[];
  isAutomatic: boolean;
  /** What makes two mails one besides their bodies; a copy that is sent on with its proof has the same. */
  identity: string;
};

/** Reads a header; `envelopeFrom` is what the sending server said. Answers a sentence where the mail is not to be taken. */
export function readEnvelope(bytes: Uint8Array, envelopeFrom: string): Envelope | string {
  const headers = parseHeaders(bytes);
  const authors = headers.filter(({ name }) => name === "from");
  const [from, ...others] = authors.flatMap(({ value }) => mailboxes(value));
  if (!from || others.length > 0 || authors.length > 1) return "A mail needs exactly one sender in its From field.";
  const to = receivers(headers, "to");
  const cc = receivers(headers, "cc");
  if (to.length + cc.length > RECEIVERS) return "This mail has too many receivers.";
  const replyTo = receivers(headers, "reply-to");
  const written = writtenFields(headers, from.address);
  const subject = plainName(decodeWords(firstHeader(headers, "subject")))
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, SUBJECT_LENGTH)
    .toWellFormed();
  const messageId = messageIds(firstHeader(headers, "message-id"))[0] ?? null;
  const references = messageIds(firstHeader(headers, "references"));
  return {
    from,
    to: written.names("to") ? to : [],
    cc: written.names("cc") ? cc : [],
    replyTo: replyTo.length === 0 || !written.names("reply-to") ? [from.address] : replyTo.slice(0, 10),
    isWhole: written.isWhole,
    subject,
    messageId,
    inReplyTo: messageIds(firstHeader(headers, "in-reply-to"))[0] ?? null,
    references: references.length > REFERENCES ? [...references.slice(0, 1), ...references.slice(1 - REFERENCES)] : references,
    platform: platformsWord(headers, from.address),
    sealed: sealOnTop(headers),
    isSigned: signersOf(headers).some((signer) => isAligned(signer, domainOf(from.address))),
    shape: shapeOf(headers),
    isAutomatic: isAutomatic(headers, { from: from.address, envelopeFrom, subject }),
    identity: [
      written.isFixed("message-id") ? (messageId ?? "") : "",
      from.address,
      written.isFixed("subject") ? subject : "",
      written.isFixed("date") ? firstHeader(headers, "date") : "",
    ].join("\n"),
  };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

function receivers(headers: readonly Header[], field: string): string[] {
  const all = headers.filter(({ name }) => name === field).flatMap(({ value }) => mailboxes(value));
  return [...new Set(all.map(({ address }) => address))];
}

/** The mailboxes of a field, groups taken apart; what has no address is left out. */
function mailboxes(value: string): { address: string; name: string }[] {
  return addressParser(value, { flatten: true }).flatMap(({ address, name }) => {
    const plain = address?.trim().toLowerCase() ?? "";
    if (!/^[^\s@<>]+@[^\s@<>]+$/.test(plain) || plain.length > EMAIL_LENGTH) return [];
    return [{ address: plain, name: plainName(name).trim().slice(0, NAME_LENGTH).toWellFormed() }];
  });
}

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
