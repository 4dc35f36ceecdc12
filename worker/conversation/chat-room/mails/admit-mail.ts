import type { MailState } from "#shared/entities/mail.ts";
import { QUEUE_LENGTH } from "#shared/limits.ts";
import type { Admission, MailSender, RoomMail, Taken } from "#worker/mail/chat-address/room-mail.ts";
import { nameOfOwn } from "#worker/mail/outbound/sender-name.ts";
import { levelOf, refuse } from "#worker/conversation/chat-room/access/access.ts";
import { waitingItems } from "#worker/conversation/chat-room/queue/queue-items.ts";
import { noteStored } from "#worker/conversation/chat-room/messages/stored-files.ts";
import { countSince, findDelivery, insertMail, strangersBytes } from "./mail-rows.ts";
import { senderRuleOf } from "./sender-rules.ts";

const HOUR_MS = 60 * 60_000;
/** What strangers' mails may take in one chat, in bytes, before somebody has said a word about them. */
const QUARANTINE_BYTES = 100 * 1024 * 1024;

/** True for an owner or editor who wrote from a proven address of theirs: strangers and mere readers have no place in the chat. */
export function isWritingMember(sql: SqlStorage, userId: string | null): boolean {
  return userId !== null && refuse(levelOf(sql, userId), "send") === null;
}

/** Whether a mail of this sender may come in now. Strangers' mails are counted by themselves, allowed ones too, so they keep nobody else's out. */
export function admitMail(sql: SqlStorage, sender: MailSender, perHour: number): { state: MailState } | Exclude<Admission, "taken"> {
  const isOwn = isWritingMember(sql, sender.id);
  const rule = isOwn ? null : senderRuleOf(sql, sender.address);
  if (rule === "blocked") return "blocked";
  const state = isOwn || (rule === "allowed" && sender.isProven) ? "received" : "quarantined";
  if (state === "quarantined" && strangersBytes(sql) > QUARANTINE_BYTES) return "later";
  const since = new Date(Date.now() - HOUR_MS).toISOString();
  const kind = isOwn ? "own" : state === "received" ? "allowed" : "stranger";
  const isFull = countSince(sql, { kind, since }) >= perHour || (state === "received" && waitingItems(sql).length >= QUEUE_LENGTH);
  return isFull ? "later" : { state };
}

type Arrival = { mail: Omit<RoomMail, "state">; sender: MailSender; perHour: number };

/** Notes a mail whose source is stored, once; call it in a transaction. */
export function storeAdmittedMail(sql: SqlStorage, { mail, sender, perHour }: Arrival): Taken {
  const known = mail.delivery_key === null ? null : findDelivery(sql, mail.delivery_key);
  if (known) return { kind: "repeat", mailId: known.id };
  const admitted = admitMail(sql, sender, perHour);
  if (typeof admitted === "string") return { kind: admitted, mailId: mail.id };
  const name = isWritingMember(sql, sender.id) ? nameOfOwn(mail.from_name, sender.name) : mail.from_name;
  insertMail(sql, { ...mail, from_name: name, state: admitted.state });
  noteStored(sql);
  return { kind: "taken", mailId: mail.id };
}
