/** Whether a mail comes from a machine, which is not answered by another (RFC 3834, RFC 3464). */

/** What is looked at: the envelope's sender (empty for a bounce), the address of From, the subject, and the headers in order. */
export type Sent = {
  envelopeFrom: string;
  from: string;
  subject: string;
  headers: readonly { name: string; value: string }[];
};

/** Why a mail is not answered; null where a person may have written it. */
export type Automatic = "bounce" | "automatic" | "list" | "bulk";

const MACHINE =
  /^(?:mailer-daemon|postmaster|bounces?|bounced|listserv|majordomo|mdaemon|(?:do[-_.]?)?not?[-_.]?reply|no[-_.]?response|noreply[-_.].*|.*[-_.+]no-?reply|bounces?[-+=_.].*|.*[-+]bounces?(?:[-+=].*)?)$/is;
const SUBJECT =
  /^\s*(?:auto(?:matic)?[- ]?(?:reply|response|antwort)|automat(?:ische|isk)\b|out of (?:the )?office|abwesenheit|réponse automatique|respuesta automática|resposta automática|risposta automatica|autosvar|undeliver(?:able|ed)|delivery (?:status notification|failure|has failed)|mail delivery (?:failed|system)|returned mail|failure notice|unzustellbar|vacation\b|自动回复|自動回覆|自動応答|不在)/iu;

/** True for an address that a person does not read: no-reply, bounces, mailer daemons. */
export function isMachineAddress(address: string): boolean {
  return MACHINE.test(address.slice(0, Math.max(0, address.lastIndexOf("@"))));
}

/** Says whether a mail is a bounce, an automatic answer, or goes to many; null for what may be answered. */
export function automaticKind({ envelopeFrom, from, subject, headers }: Sent): Automatic | null {
  const valuesOf = (wanted: string) =>
    headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value.trim().toLowerCase());
  const has = (name: string) => valuesOf(name).length > 0;
  if (valuesOf("content-type").some((type) => /^multipart\/report\b/.test(type))) return "bounce";
  const sender = envelopeFrom.replaceAll(/[<>\s]/g, "");
  if (sender === "" || has("x-failed-recipients")) return "bounce";
  if (/^(?:mailer-daemon|postmaster)@/i.test(from) || /^mailer-daemon@/i.test(sender)) return "bounce";
  if (valuesOf("auto-submitted").some((value) => value.split(";")[0]?.trim() !== "no")) return "automatic";
  if (["x-autoreply", "x-autorespond"].some(has)) return "automatic";
  if (valuesOf("x-auto-response-suppress").some((value) => value !== "none")) return "automatic";
  if (valuesOf("precedence").some((value) => /^auto[-_]?reply/.test(value))) return "automatic";
  if (["list-id", "list-unsubscribe", "list-post", "mailing-list"].some(has)) return "list";
  if (valuesOf("precedence").some((value) => /^(?:bulk|list|junk)/.test(value))) return "bulk";
  if (isMachineAddress(from) || isMachineAddress(sender)) return "automatic";
  return SUBJECT.test(subject) ? "automatic" : null;
}
