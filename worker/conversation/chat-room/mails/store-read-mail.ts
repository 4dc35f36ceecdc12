import { MESSAGE_LENGTH } from "#shared/limits.ts";
import type { ReadMail, RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { addFile } from "#worker/conversation/chat-room/messages/attachments.ts";
import { noteStored } from "#worker/conversation/chat-room/messages/stored-files.ts";
import { ownerOf } from "#worker/conversation/chat-room/chat.ts";
import { appendItems } from "#worker/conversation/chat-room/queue/queue-items.ts";
import { senderName } from "./queued-mail.ts";
import { findMail, insertMail, moveToEnd, updateMail } from "./mail-rows.ts";
import { noteBounce } from "./note-bounce.ts";
import { isWritingMember } from "./admit-mail.ts";

/**
 * Keeps what was found in a mail, once; true for one that the chat takes: it becomes a message as soon as its files were read; a report about a mail of the chat's own is noted there. Call it
 * in a transaction.
 */
export function storeReadMail(sql: SqlStorage, mailId: string, read: ReadMail): boolean | "returned" {
  const mail = findMail(sql, mailId);
  if (!mail || mail.is_read) return false;
  const isTaken = mail.state === "received";
  const { text, quoted, note, files, earlier } = read;
  updateMail(sql, mailId, {
    text_body: isTaken ? contentOf(mail, read) : text,
    quoted_body: quoted,
    note: [mail.note, note].filter((part) => part !== null).join(" ") || null,
    attachments: files,
    is_read: true,
  });
  // A server's report is no stranger's letter: it is said at the mail that it is about, and answered by nobody.
  if (read.report && mail.is_automatic && noteBounce(sql, read.report)) {
    updateMail(sql, mailId, { state: "received" });
    return "returned";
  }
  if (!isTaken) return false;
  keepEarlier(sql, mail, earlier);
  for (const file of files) addFile(sql, payerOf(sql, mail), file);
  noteStored(sql);
  return true;
}

/** Lets a mail that was read wait its turn as a message, once, paid by the member who wrote it, else by the owner. Call it in a transaction. */
export function queueMailTurn(sql: SqlStorage, mailId: string): void {
  const mail = findMail(sql, mailId);
  if (mail?.state !== "received" || !mail.is_read || mail.turn_id !== null) return;
  const turnId = crypto.randomUUID();
  updateMail(sql, mailId, { turn_id: turnId });
  const item = {
    id: turnId,
    requestId: turnId,
    authorId: payerOf(sql, mail),
    authorName: senderName(mail),
    ip: null,
    content: mail.text_body,
    settings: {},
    once: {},
    attachments: mail.attachments.map(({ id }) => id),
    chain: null,
    mailId,
    messaging: null,
    createdAt: new Date().toISOString(),
  };
  appendItems(sql, [item], turnId);
}

/** Who pays for the answer: the member whose proven address wrote it, else the owner. */
function payerOf(sql: SqlStorage, { sender_id: senderId }: RoomMail): string {
  return senderId !== null && isWritingMember(sql, senderId) ? senderId : ownerOf(sql);
}

/** The mails of a forwarded thread come before the one that forwards them, in their order; nothing proves whose they are. */
function keepEarlier(sql: SqlStorage, mail: RoomMail, earlier: ReadMail["earlier"]): void {
  for (const [index, { from_addr, from_name, to_addr, subject, text, created_at }] of earlier.entries()) {
    insertMail(sql, {
      ...mail,
      id: crypto.randomUUID(),
      delivery_key: `${mail.delivery_key ?? mail.id}:${index}`,
      from_addr,
      from_name,
      to_addr,
      cc_addr: [],
      reply_to_addr: [],
      subject,
      text_body: text,
      quoted_body: null,
      authentication: { result: "none", by: null },
      attachments: [],
      message_id: null,
      in_reply_to: null,
      reference_ids: [],
      is_automatic: true,
      sender_id: null,
      with_data_of: null,
      raw_object: null,
      raw_size: 0,
      is_read: true,
      state: "received",
      note: `Forwarded by ${mail.from_addr}.`,
      created_at: created_at ?? mail.created_at,
    });
  }
  if (earlier.length > 0) moveToEnd(sql, mail.id);
}

/** What the chat's message says: the mail's own words, and a thread that it forwards. */
function contentOf({ subject }: RoomMail, { text, earlier }: ReadMail): string {
  const thread = earlier.map(
    (one, index) =>
      `[${index + 1} of ${earlier.length}] ${[one.from_name || "Somebody", one.date, one.subject].filter(Boolean).join(" · ")}\n\n${one.text}`,
  );
  const body = [text, ...thread].filter((part) => part !== "").join("\n\n");
  return (body || subject || "(This mail has no text.)").slice(0, MESSAGE_LENGTH).toWellFormed();
}
