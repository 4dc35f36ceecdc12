import type { Chat } from "#shared/entities/chat.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import type { ChatNews } from "#worker/chat-room/rpc.ts";

/** A room's news as the user's tabs get them. */
export function toEvent(news: ChatNews, chat: Chat, at: number): LiveEvent {
  const cursor = String(at);
  if (news.type === "reply.ended") {
    return { type: "reply.ended", cursor, chat_id: chat.id, reply_id: news.replyId, ...(news.research && { research: news.research }) };
  }
  if (news.type === "person.forgotten") return { type: "people.changed", cursor };
  if (news.type === "todo.changed" || news.type === "runs.changed" || news.type === "queue.changed" || news.type === "mails.changed")
    return { type: news.type, cursor, chat_id: chat.id };
  return { type: "reply.started", cursor, chat_id: chat.id, message_id: news.messageId, reply_id: news.replyId };
}
