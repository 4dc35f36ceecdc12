/** Who gets the answer to a mail (decisions, Reply-all). */
import { isMachineAddress } from "#worker/mail/inbound/auto-reply.ts";

/** Most mail services take 50 addresses; a letter that a chat sends by itself goes to fewer. */
const RECIPIENTS = 20;

/** A mail as it decides who is answered: addresses as its headers have them. */
export type Answered = { from: string; replyTo: readonly string[]; to: readonly string[]; cc: readonly string[] };

export type ReplyRules = {
  /** The setting of whose turn it is. */
  isToAll: boolean;
  /** The sender was proven by DKIM or DMARC. */
  isAuthenticated: boolean;
  /** True for the product's own: the chat's addresses, new@, the sender of its mails. */
  isOwn(address: string): boolean;
  /** True for the addresses of whose turn it is, who reads the chat: they get no copies. */
  isTheirs(address: string): boolean;
  /** True for an address that mail could not be delivered to, or that complained. */
  isSuppressed(address: string): boolean;
};

export type Recipients = { to: string[]; cc: string[] };

/** The receivers but for these; the first copies step up where nobody else is left. */
export function recipientsWithout({ to, cc }: Recipients, isLeftOut: (address: string) => boolean): Recipients {
  const others = { to: to.filter((address) => !isLeftOut(address)), cc: cc.filter((address) => !isLeftOut(address)) };
  return others.to.length > 0 ? others : { to: others.cc, cc: [] };
}

/** Who is answered; null where nobody may be. */
export function replyRecipients({ from, replyTo, to, cc }: Answered, rules: ReplyRules): Recipients | null {
  if (!rules.isAuthenticated) return null;
  const sender = plainAddress(from);
  if (sender === null || !mayGet(sender, rules)) return null;
  if (!rules.isToAll) return { to: [sender], cc: [] };
  // Whoever writes decides where answers to all go; alone, an answer goes to whom the mail was proven to be from.
  const asked = replyTo.flatMap((address) => plainAddress(address) ?? []).filter((address) => mayGet(address, rules));
  const first = asked.length > 0 ? [...new Set(asked)] : [sender];
  const others = [...to, ...cc].flatMap((address) => plainAddress(address) ?? []).filter((address) => mayGet(address, rules));
  const copies = [...new Set(others)].filter((address) => !first.includes(address) && !rules.isTheirs(address));
  return { to: first.slice(0, RECIPIENTS), cc: copies.slice(0, Math.max(0, RECIPIENTS - first.length)) };
}

function mayGet(address: string, { isOwn, isSuppressed }: ReplyRules): boolean {
  return !isOwn(address) && !isSuppressed(address) && !isMachineAddress(address);
}

const ADDRESS = /^[^\s<>@,;:"()[\]\\]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/u;

/** An address in lower case; null for what is none that a mail may go to. */
export function plainAddress(address: string): string | null {
  const plain = address.trim().toLowerCase();
  return ADDRESS.test(plain) && !plain.includes("..") ? plain : null;
}
