import type { MailReturn, RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { findByMessageId, findMail, updateMail } from "./mail-rows.ts";
import { suppressHere } from "./outgoing-rows.ts";

/** Notes at a mail of this chat that it came back, and sends nothing more there; false where no mail of this chat is meant. Call it in a transaction. */
export function noteBounce(sql: SqlStorage, mailReturn: MailReturn): boolean {
  const mail = findReturned(sql, mailReturn);
  if (!mail) return false;
  const all = [...mail.to_addr, ...mail.cc_addr];
  const addresses =
    mailReturn.addresses.length > 0 ? mailReturn.addresses.filter((address) => all.includes(address)) : all.length === 1 ? all : [];
  if (mailReturn.addresses.length > 0 && addresses.length === 0) return false;
  if (mailReturn.isForGood) for (const address of addresses) suppressHere(sql, address, mailReturn.kind);
  const state = mail.state === "complained" ? mail.state : mailReturn.kind;
  updateMail(sql, mail.id, { state, note: noteOf(mailReturn, addresses.join(", ")) });
  return true;
}

/** Anybody may write a report: it counts for a mail that it names by an id which only its receivers know. */
function findReturned(sql: SqlStorage, { providerId, messageId }: MailReturn): RoomMail | null {
  if (providerId !== null) {
    const row = sql.exec<{ mail_id: string }>("SELECT mail_id FROM outgoing_mails WHERE provider_id = ?", providerId).toArray()[0];
    if (row) return findMail(sql, row.mail_id);
  }
  return messageId === null ? null : (findByMessageId(sql, messageId).find(({ direction }) => direction === "out") ?? null);
}

function noteOf({ kind, isForGood, reason }: MailReturn, to: string): string {
  const end = isForGood && to !== "" ? ` Nothing more is sent to ${to}.` : "";
  if (kind === "complained") return `${to || "A receiver"} marked this mail as unwanted.${end}`;
  const reasonSentence = reason === null ? "" : ` Their server said: ${/[.!?]$/.test(reason) ? reason : `${reason}.`}`;
  return `This mail came back${to === "" ? "" : ` from ${to}`}.${reasonSentence}${end}`;
}
