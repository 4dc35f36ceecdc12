/** What turns that answer a mail may use of their payer's own: nothing, unless the payer wrote it or let it in with their data. */
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";
import { storedMail } from "#worker/conversation/turn/mail-text.ts";
import { ALL_SOURCES, NO_SOURCES, type PrivateSource } from "#worker/conversation/tools/private-source.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { findMessage } from "#worker/conversation/chat-room/messages/messages.ts";
import type { QueueItem } from "#worker/conversation/room/queue.ts";
import { findMail } from "./mail-rows.ts";

/** True for a mail that this person wrote themselves. */
export function isWrittenBy(mail: Pick<RoomMail, "sender_id"> | null, userId: string): boolean {
  return mail !== null && mail.sender_id === userId;
}

function mayUseOwn(mail: RoomMail | null, userId: string): boolean {
  return isWrittenBy(mail, userId) || mail?.with_data_of === userId;
}

/** The sources of a message that waited its turn, by whoever wrote it. */
export function sourcesOfItem(sql: SqlStorage, { mailId, authorId }: Pick<QueueItem, "mailId" | "authorId">): readonly PrivateSource[] {
  return mailId === null || mayUseOwn(findMail(sql, mailId), authorId) ? ALL_SOURCES : NO_SOURCES;
}

/** A request as the room takes it: who has a mail of somebody else answered once more, or gone on with, lends it no more than its first answer had. */
export function limitToMailSources(sql: SqlStorage, request: TurnRequest): TurnRequest {
  if (request.kind !== "regenerate" && request.kind !== "continue") return request;
  const target = findMessage(sql, request.messageId);
  const question = target?.role === "assistant" && target.parent_id !== null ? findMessage(sql, target.parent_id) : target;
  const mail = storedMail(question?.mail ?? null);
  return mail === null || mayUseOwn(findMail(sql, mail.id), request.reader.userId) ? request : { ...request, sources: [] };
}
