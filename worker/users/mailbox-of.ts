/** Domains of one provider whose mailboxes leave dots out of a name. */
const WITHOUT_DOTS = new Set(["gmail.com", "googlemail.com"]);

/** The mailbox that an address (normalised) delivers to, as far as addresses tell: nothing after a plus, and no dots at Gmail. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf("@");
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
  const name = local.replace(/(?<=.)\+.*$/, "");
  return WITHOUT_DOTS.has(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}
