import { addressParser, decodeWords } from "postal-mime";
import type { MailAuthentication } from "#shared/entities/mail.ts";
import { EMAIL_LENGTH } from "#shared/limits.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { describeTopHeaders, isAligned, platformAuthentication, topSealNumber } from "./authentication.ts";
import { firstHeader, type Header, messageIds, parseHeaders } from "./mail-headers.ts";
import { automaticKind } from "./auto-reply.ts";

/** What of a mail's header counts as its writer's. */
type WrittenFields = {
  /** False where somebody who sent it on with its proof may have changed it, or where what was signed need not be what is read. */
  isUnaltered: boolean;
  /** True for a field that names people and that nobody else added. */
  names(field: "to" | "cc" | "reply-to"): boolean;
  /** True for a field that stays as it is for as long as the mail is proven. */
  isFixed(field: FixedField): boolean;
};

/** The fields that tell two mails of one sender apart. */
type FixedField = "message-id" | "date" | "subject";
const FIXED: readonly FixedField[] = ["message-id", "date", "subject"];

/** Those that a mail has once (RFC 5322, 3.6; RFC 2045): a signature covers the lowest of several, and programs read the highest. */
const ONCE: ReadonlySet<string> = new Set([
  ...FIXED,
  "from",
  "sender",
  "reply-to",
  "to",
  "cc",
  "bcc",
  "in-reply-to",
  "references",
  "content-type",
  "content-transfer-encoding",
]);

/**
 * Says which fields a mail's writer wrote, for all that its header shows. Whoever got a signed mail can send it on, signature and all, and
 * change what the signature does not cover: add a Cc or a Reply-To, a second field of a kind, or text where only a beginning is signed.
 * Providers that sign neither To nor Cc are believed as they are.
 */
function writtenFields(headers: readonly Header[], fromAddress: string): WrittenFields {
  const domain = fromAddress.slice(fromAddress.lastIndexOf("@") + 1).toLowerCase();
  // Another signature that the sender of a copy adds can only take away.
  const own = headers.filter(({ name, value }) => name === "dkim-signature" && isOfOrganisation(value, domain));
  // Mail without one is proven by the platform's seal, if at all, and so as far as the signature below that covers it.
  const sealed = headers.slice(2, 3).filter(({ name }) => name === "arc-message-signature");
  const signatures = (own.length > 0 ? own : sealed).map(({ value }) => toSignature(value));
  const counts = new Map<string, number>();
  for (const { name } of headers) counts.set(name, (counts.get(name) ?? 0) + 1);
  const covers = (field: string) => signatures.every(({ fields }) => fields.has(field));
  return {
    // Where signatures do not agree on what they cover, one of them may have been added for that.
    isUnaltered:
      [...ONCE].every((name) => (counts.get(name) ?? 0) <= 1) &&
      signatures.every(({ isOfBeginning }) => !isOfBeginning) &&
      FIXED.every((field) => covers(field) || signatures.every(({ fields }) => !fields.has(field))),
    names: (field) =>
      counts.get(field) === 1 &&
      (field === "reply-to" ? covers(field) : signatures.every(({ fields }) => fields.has(field) || !fields.has("to"))),
    isFixed: covers,
  };
}

/** `isOfBeginning` for one that leaves room for further text below what it signs. */
type Signature = { fields: ReadonlySet<string>; isOfBeginning: boolean };

function toSignature(value: string): Signature {
  const tags = tagsOf(value);
  return { fields: new Set((tags.get("h") ?? "").split(":")), isOfBeginning: tags.has("l") };
}

/** True for a signature of a domain that may be of the same organisation, also beside this one: the platform lets it sign for it. */
function isOfOrganisation(value: string, domain: string): boolean {
  const zoneOf = (name: string) => name.split(".").slice(-2).join(".");
  return zoneOf(tagsOf(value).get("d") ?? "") === zoneOf(domain);
}

/** The domains that a header's signatures name as theirs, in lower case; nothing of them is proven by that. */
function signersOf(headers: readonly Header[]): string[] {
  return headers.filter(({ name }) => name === "dkim-signature").map(({ value }) => tagsOf(value).get("d") ?? "");
}

function tagsOf(value: string): Map<string, string> {
  return new Map(
    value.split(";").map((tag) => {
      const at = tag.indexOf("=");
      return [
        tag.slice(0, at).trim(),
        tag
          .slice(at + 1)
          .replaceAll(/\s+/g, "")
          .toLowerCase(),
      ];
    }),
  );
}

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
  isUnaltered: boolean;
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
    isUnaltered: written.isUnaltered,
    subject,
    messageId,
    inReplyTo: messageIds(firstHeader(headers, "in-reply-to"))[0] ?? null,
    references: references.length > REFERENCES ? [...references.slice(0, 1), ...references.slice(1 - REFERENCES)] : references,
    platform: platformAuthentication(headers, from.address),
    sealed: topSealNumber(headers),
    isSigned: signersOf(headers).some((signer) => isAligned(signer, domainOf(from.address))),
    shape: describeTopHeaders(headers),
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
