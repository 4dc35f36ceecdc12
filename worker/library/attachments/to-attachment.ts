import type { Attachment } from "#shared/entities/attachment.ts";
import type { RoomFile } from "./room-file.ts";

export function toAttachment(chatId: string, { id, name, type, size, kind, unread, isMissing }: RoomFile): Attachment {
  return { id, name, type, size, kind, url: `/api/chat/${chatId}/attachments/${id}`, unread, ...(isMissing && { isMissing }) };
}
