import type { ReadRoomMail, RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { ownerOf } from "#worker/conversation/chat-room/chat.ts";
import { findOutgoing } from "./outgoing-rows.ts";

/**
 * True where this person may send a mail by hand: a draft, and a letter that failed, goes out in the name of whoever it was written for,
 * and by their word alone. An answer that failed went out by nobody's, so all who see the chat's mails may send it again.
 */
export function maySend(sql: SqlStorage, mail: RoomMail, userId: string): boolean {
  if (mail.direction !== "out" || (mail.state !== "draft" && mail.state !== "failed")) return false;
  return mail.sender_id === userId || (mail.state === "failed" && findOutgoing(sql, mail.id)?.answers_id != null);
}

/** What somebody who sees a mail may do with it: who pays for the answers lets mail in. */
export function mailRights(sql: SqlStorage, mail: RoomMail, userId: string): Pick<ReadRoomMail, "canSend" | "canLetIn"> {
  return { canSend: maySend(sql, mail, userId), canLetIn: ownerOf(sql) === userId };
}
