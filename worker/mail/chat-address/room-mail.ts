import type { Mail, MailOutcome } from "#shared/entities/mail.ts";
import { MAIL_PREVIEW_LENGTH } from "#shared/limits.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import { toAttachment } from "#worker/library/attachments/to-attachment.ts";

/** A mail as its chat's room keeps it. */
export type RoomMail = Omit<Mail, "chat_id" | "is_cut" | "has_raw" | "attachments"> & {
  /** What makes a mail that comes in twice one: its Message-ID or what it says, hashed; null for one that goes out. */
  delivery_key: string | null;
  /** Where its answer goes, in lower case: its Reply-To, else its sender. */
  reply_to_addr: string[];
  /** The Message-IDs before it in its thread, oldest first, without angle brackets. */
  reference_ids: string[];
  /** True for what no person wrote (RFC 3834), and mail of a list: none of it is answered. */
  is_automatic: boolean;
  /** The account whose proven address wrote it, or for whom it is sent; null for a stranger's. */
  sender_id: string | null;
  /** Whoever pays for the answer and let it use what is theirs alone; null for nobody. */
  with_data_of: string | null;
  /** Names the stored source; null where there is none. */
  raw_object: string | null;
  /** False until its text and files were taken out of the source. */
  is_read: boolean;
  /** The reply of the chat that answered it, or that it is sent by. */
  reply_id: string | null;
  attachments: RoomFile[];
};

/** A mail that is read by itself, with what became of it, and whether its reader may send it. */
export type ReadRoomMail = { mail: RoomMail; outcome: MailOutcome | null; canSend: boolean; canLetIn: boolean };

/** A mail to send: for whom, from which reply, and the mail that it follows. `text` is markdown. */
export type Letter = {
  id: string;
  userId: string;
  replyId: string;
  to: string[];
  cc: string[];
  subject: string;
  text: string;
  files: RoomFile[];
  parent: RoomMail | null;
};

/** A mail as members of its chat see it; whole, or as lists have it. */
export function toMail(chatId: string, mail: RoomMail, { isFull }: { isFull: boolean }): Mail {
  const { text_body: text } = mail;
  const isCut = !isFull && text.length > MAIL_PREVIEW_LENGTH;
  return {
    id: mail.id,
    chat_id: chatId,
    direction: mail.direction,
    state: mail.state,
    from_addr: mail.from_addr,
    from_name: mail.from_name,
    to_addr: mail.to_addr,
    cc_addr: mail.cc_addr,
    subject: mail.subject,
    text_body: isCut ? text.slice(0, MAIL_PREVIEW_LENGTH).toWellFormed() : text,
    is_cut: isCut,
    quoted_body: isFull ? mail.quoted_body : null,
    authentication: mail.authentication,
    attachments: mail.attachments.map((file) => toAttachment(chatId, file)),
    message_id: mail.message_id,
    in_reply_to: mail.in_reply_to,
    turn_id: mail.turn_id,
    has_raw: mail.raw_object !== null,
    raw_size: mail.raw_size,
    note: mail.note,
    created_at: mail.created_at,
  };
}

export function rawMailKey(chatId: string, rawObject: string): string {
  return `${mailsFolder(chatId)}${rawObject}`;
}

/** Where the sources of all of a chat's mails lie. */
export function mailsFolder(chatId: string): string {
  return `chats/${chatId}/mails/`;
}

/** A mail of a thread that another one forwards, as that one quotes it; `created_at` where its date could be read. */
export type ForwardedMail = {
  from_addr: string;
  from_name: string;
  to_addr: string[];
  date: string;
  subject: string;
  text: string;
  created_at: string | null;
};

/** What came back about a mail that a chat sent: which one, by the mail service's id or its Message-ID, and whom it did not reach. */
export type MailReturn = {
  kind: "bounced" | "complained";
  providerId: string | null;
  messageId: string | null;
  /** In lower case; empty where it is unknown which of its receivers. */
  addresses: string[];
  /** False for what may pass: then it is said, and further mail is sent. */
  isForGood: boolean;
  /** The server's own words. */
  reason: string | null;
};

/** What was found in a mail's source: its own words, what it quotes, its files, and what there is to say about all that. */
export type ReadMail = {
  text: string;
  quoted: string | null;
  note: string | null;
  files: RoomFile[];
  earlier: ForwardedMail[];
  report: MailReturn | null;
};

/** Who wrote a mail: an account's id and name where its address is proven to be that account's. */
export type MailSender = { id: string | null; name: string | null; address: string; isProven: boolean };
/** What becomes of a mail: `later`, its sender should try again; `gone`, there is no such chat. */
export type Admission = "taken" | "later" | "blocked" | "gone";
/** The same once its source is stored: `repeat`, it came before. */
export type Taken = { kind: Admission | "repeat"; mailId: string };

/** When somebody is reminded of a mail that nobody answered, in epoch milliseconds. */
export type MailReminder = { by: number; note: string };
