import type { MailOutcome } from "#shared/entities/mail.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { findMessage } from "../messages/messages.ts";
import { findMail } from "./mail-rows.ts";
import { findAnswer } from "./outgoing-rows.ts";

const LIVE: ReadonlySet<string> = new Set(["accepted", "streaming", "waiting"]);

/** When a mail that came in was answered by mail, and what its turn cost; null where it began none, or that one still runs. */
export function mailOutcome(sql: SqlStorage, { id, direction, reply_id: replyId }: RoomMail): MailOutcome | null {
  const reply = direction === "in" && replyId !== null ? findMessage(sql, replyId) : null;
  if (!reply || LIVE.has(reply.status)) return null;
  const row = findAnswer(sql, id);
  const answer = row && findMail(sql, row.mail_id);
  return {
    answered_at: answer?.state === "sent" ? answer.created_at : null,
    cost: reply.cost_micros === null ? null : fromMicros(reply.cost_micros),
  };
}
