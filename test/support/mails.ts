import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { insertMail } from "#worker/conversation/chat-room/mails/mail-rows.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";

/** A stranger's proven mail that was read, with what the test is about. */
export function roomMail(change: Partial<RoomMail> = {}): RoomMail {
  return {
    id: crypto.randomUUID(),
    delivery_key: crypto.randomUUID(),
    direction: "in",
    state: "received",
    from_addr: "stranger@example.org",
    from_name: "Stranger",
    to_addr: [],
    cc_addr: [],
    reply_to_addr: ["stranger@example.org"],
    subject: "Subject",
    text_body: "Text.",
    quoted_body: null,
    authentication: { result: "pass", by: "dmarc" },
    attachments: [],
    message_id: `${crypto.randomUUID()}@example.org`,
    in_reply_to: null,
    reference_ids: [],
    is_automatic: false,
    sender_id: null,
    with_data_of: null,
    raw_object: null,
    raw_size: 0,
    is_read: true,
    turn_id: null,
    reply_id: null,
    note: null,
    created_at: new Date().toISOString(),
    ...change,
  };
}

/** Puts a mail into a chat's room, past the door that mails come by. */
export async function addMailToRoom(chatId: string, change: Partial<RoomMail> = {}): Promise<RoomMail> {
  const mail = roomMail(change);
  await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (_, { storage }) => insertMail(storage.sql, mail));
  return mail;
}
