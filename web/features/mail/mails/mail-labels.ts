import type { Mail, MailOutcome } from "#shared/entities/mail.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { rowTime } from "#web/lib/format.ts";

/** What is said of a mail's state, where there is anything to say; `isBad` where somebody should look. */
export function mailStateLabel({
  state,
  authentication,
  from_addr: address,
}: Pick<Mail, "state" | "authentication" | "from_addr">): { text: string; isBad: boolean } | null {
  switch (state) {
    case "quarantined":
      // Anybody can write a known name there.
      return { text: authentication?.result === "pass" ? "Sender unknown" : `Not proven to be from ${address}`, isBad: true };
    case "blocked":
      return { text: "Sender blocked", isBad: true };
    case "draft":
      return { text: "Draft, not sent", isBad: false };
    case "queued":
      return { text: "On its way", isBad: false };
    case "failed":
      return { text: "Not sent", isBad: true };
    case "bounced":
      return { text: "Came back", isBad: true };
    case "complained":
      return { text: "Marked as spam by its reader", isBad: true };
    case "received":
    case "sent":
      return null;
  }
}

/** Whether a mail is from where it says; null for one that goes out. */
export function authenticationLabel({ authentication }: Pick<Mail, "authentication">): { text: string; isProven: boolean } | null {
  if (authentication === null) return null;
  const { result, by } = authentication;
  if (result === "pass") return { text: `${by === "dkim" ? "DKIM" : "DMARC"} pass`, isProven: true };
  return { text: result === "fail" ? "Sender not proven" : "No DKIM or DMARC", isProven: false };
}

/** When a mail was answered and what its turn cost, in a line; null where there is neither. */
export function outcomeLine({ answered_at: at, cost }: MailOutcome): string | null {
  const answered = at === null ? null : `Answered ${rowTime(at)}`;
  if (cost === null) return answered;
  return answered === null ? `Charged ${formatCost(cost)}` : `${answered}, charged ${formatCost(cost)}`;
}

/** Who a mail is from, as a list says it. */
export function writerOf({ direction, from_name: name, from_addr: address }: Pick<Mail, "direction" | "from_name" | "from_addr">): string {
  return direction === "out" ? "This chat" : name || address;
}

/** Whom a mail went to, in a line. */
export function receiversLabel({ direction, to_addr: to, cc_addr: cc }: Pick<Mail, "direction" | "to_addr" | "cc_addr">): string {
  const receivers = direction === "in" ? "to this chat" : `to ${to.join(", ")}`;
  return cc.length === 0 ? receivers : `${receivers}, cc ${cc.join(", ")}`;
}
