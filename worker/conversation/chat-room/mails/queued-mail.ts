import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { hasAddress } from "#worker/mail/outbound/sender-name.ts";
import type { StoredMail } from "#worker/conversation/turn/mail-text.ts";
import { findByMessageId, findMail } from "./mail-rows.ts";

/** What a message's mail holds of the mails before it, in characters. */
const QUOTED_LENGTH = 50_000;

/** The mail that a waiting message came as, as its message will show it. */
export function queuedMail(sql: SqlStorage, { mailId }: { mailId: string | null }): StoredMail | null {
  const mail = mailId === null ? null : findMail(sql, mailId);
  if (!mail) return null;
  const known = [mail.in_reply_to, ...mail.reference_ids].filter((id) => id !== null);
  return {
    id: mail.id,
    from_addr: mail.from_addr,
    from_name: senderName(mail),
    subject: mail.subject,
    authentication: mail.authentication ?? { result: "none", by: null },
    quoted: mail.quoted_body?.slice(0, QUOTED_LENGTH).toWellFormed() ?? null,
    note: mail.note,
    is_thread_known: known.some((id) => findByMessageId(sql, id).length > 0),
  };
}

/** A sender as also those see them who see no address. */
export function senderName({ from_name: name, from_addr: address }: Pick<RoomMail, "from_name" | "from_addr">): string {
  return (hasAddress(name) ? "" : name) || `Someone at ${address.slice(address.lastIndexOf("@") + 1)}`;
}
