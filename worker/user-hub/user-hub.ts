import { DurableObject } from "cloudflare:workers";
import type { ChatView } from "#shared/contracts/chats.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import type { ChatNews, ChatReport } from "../chat-room/rpc.ts";
import { roomOf } from "../chat-room/stub.ts";
import type { Env } from "../env.ts";
import { type ChatPage, currentCursor, dropChat, findChat, listChats, type Marks, markChat, putChat, streamingChats } from "./chat-list.ts";
import { acceptSocket, broadcast, endSockets, moveSockets, resetSockets } from "./live.ts";
import { migrate } from "./migrations.ts";

/** One user's own view: the list of their chats with their marks, and the live events of their tabs. Wiring only. */
export class UserHub extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrate(ctx.storage);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  get #userId(): string {
    return this.ctx.id.name ?? "";
  }

  /** The live socket: an upgrade with the session's id in a header that only the Worker sets. */
  override fetch(request: Request): Response {
    return acceptSocket(this.ctx, {
      sessionId: request.headers.get("x-session-id") ?? "",
      userId: this.#userId,
      cursor: new URL(request.url).searchParams.get("cursor"),
      version: this.env.VERSION ?? "",
    });
  }

  override webSocketMessage(): void {
    // Tabs only listen; pings are answered without waking the object.
  }

  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }

  /** Takes a room's report and tells the user's tabs. */
  async receive(report: ChatReport): Promise<void> {
    const cursor = putChat(this.#sql, report);
    if (cursor === null) return;
    const chat = findChat(this.#sql, this.#userId, report.row.id);
    if (!chat) return;
    broadcast(this.ctx, [
      { type: "chat.changed", cursor: String(cursor), chat },
      ...report.news.map((news) => toEvent(news, chat, cursor)),
    ]);
  }

  /** A page of the user's chats. */
  async list(query: { view: ChatView; cursor?: string | undefined; limit: number }): Promise<ChatPage> {
    return listChats(this.#sql, this.#userId, query);
  }

  /** One chat of the list, or null. */
  async find(chatId: string): Promise<Chat | null> {
    return findChat(this.#sql, this.#userId, chatId);
  }

  /** Sets the user's own marks and answers the row, or null for an unknown chat. */
  async mark(chatId: string, marks: Marks): Promise<Chat | null> {
    const cursor = markChat(this.#sql, chatId, marks);
    const chat = findChat(this.#sql, this.#userId, chatId);
    if (cursor !== null && chat) broadcast(this.ctx, [{ type: "chat.changed", cursor: String(cursor), chat }]);
    return chat;
  }

  /** Forgets a deleted chat, or one the user lost. */
  async remove(chatId: string): Promise<void> {
    const cursor = dropChat(this.#sql, chatId);
    if (cursor !== null) broadcast(this.ctx, [{ type: "chat.deleted", cursor: String(cursor), chat_id: chatId }]);
  }

  /** Ends these sessions' sockets at once, and their streams in the rooms that have a reply in progress. */
  async endSessions(sessionIds: string[] | "all"): Promise<void> {
    endSockets(this.ctx, sessionIds);
    await Promise.all(streamingChats(this.#sql).map((chatId) => roomOf(this.env, chatId).endSessions(this.#userId, sessionIds)));
  }

  /** Lets a session's sockets go on under the one that took its place. */
  async moveSession(from: string, to: string): Promise<void> {
    moveSockets(this.ctx, from, to);
  }

  /** Tells the user's tabs that account data changed. */
  async noteUserChanged(): Promise<void> {
    broadcast(this.ctx, [{ type: "user.changed", cursor: String(currentCursor(this.#sql)) }]);
  }

  /** Forgets everything of a user that is gone. */
  async purge(): Promise<void> {
    resetSockets(this.ctx);
    await this.ctx.storage.deleteAll();
    migrate(this.ctx.storage);
  }
}

function toEvent(news: ChatNews, chat: Chat, at: number): LiveEvent {
  const cursor = String(at);
  if (news.type === "reply.ended") return { type: "reply.ended", cursor, chat_id: chat.id, reply_id: news.replyId };
  return { type: "reply.started", cursor, chat_id: chat.id, message_id: news.messageId, reply_id: news.replyId };
}
