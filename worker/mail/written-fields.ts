import type { Header } from "./mail-headers.ts";

/** What of a mail's header counts as its writer's. */
export type WrittenFields = {
  /** False where somebody who sent it on with its proof may have changed it, or where what was signed need not be what is read. */
  isWhole: boolean;
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
export function writtenFields(headers: readonly Header[], fromAddress: string): WrittenFields {
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
    isWhole:
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
export function signersOf(headers: readonly Header[]): string[] {
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
