import type { MailState } from "#shared/entities/mail.ts";
import type { Letter, RoomMail } from "#worker/mail/chat-address/room-mail.ts";

/** Characters of a text that are kept of a mail that goes out: more than one has room for. */
const TEXT_LENGTH = 250_000;

/** The letter as the chat's table of mails has it. Its sender's address is filled in as it goes out. */
export function newOutgoing({ id, userId, replyId, to, cc, subject, text, files, parent }: Letter, state: MailState): RoomMail {
  return {
    id,
    delivery_key: null,
    direction: "out",
    state,
    from_addr: "",
    from_name: "",
    to_addr: to,
    cc_addr: cc,
    reply_to_addr: [],
    subject,
    text_body: text.slice(0, TEXT_LENGTH).toWellFormed(),
    quoted_body: null,
    authentication: null,
    attachments: files,
    message_id: null,
    in_reply_to: parent?.message_id ?? null,
    reference_ids: parent ? [...parent.reference_ids, ...(parent.message_id === null ? [] : [parent.message_id])] : [],
    is_automatic: false,
    sender_id: userId,
    with_data_of: null,
    raw_object: null,
    raw_size: 0,
    is_read: true,
    turn_id: null,
    reply_id: replyId,
    note: null,
    created_at: new Date().toISOString(),
  };
}
