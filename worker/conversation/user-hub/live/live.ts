/** The user's sockets: hibernating, each tagged with its session, so ending a session ends them. */
import { type ErrorBody, type ErrorCode, ERRORS } from "#shared/errors.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { CATCH_UP_ROWS, type RemovedChat, changesSince, currentCursor, hasChangedBy } from "../list/chat-list.ts";
import { isOver, attachTab, tabOf } from "./tabs.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { ChatUpdate } from "#worker/conversation/room/rpc.ts";

/** Closes a socket whose session has ended; the web signs out. */
const SESSION_ENDED = 4001;
/** Closes a socket that should come again: as the account that its guest has become part of. */
const COME_AGAIN = 1012;

type Arrival = {
  tab: { sessionId: string; displayName: string; endsAt: number | null };
  userId: string;
  cursor: string | null;
  version: string;
  /** What else there is to know, as it stands: the balance, and how much waits. Neither has a cursor that would show a tab that it missed a change. */
  also: LiveEvent[];
};

/** The answer to a socket that is not accepted. */
export function refusedSocket(code: ErrorCode): Response {
  const { status, message } = ERRORS[code];
  return Response.json({ error: message, code } satisfies ErrorBody, { status });
}

/** Accepts a socket and sends what it missed since `cursor`. */
export function acceptSocket(ctx: DurableObjectState, { tab, userId, cursor, version, also }: Arrival): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  ctx.acceptWebSocket(server);
  attachTab(server, { ...tab, at: Date.now(), attention: null });
  const { sql } = ctx.storage;
  const now = currentCursor(sql);
  const since = cursor === null || !/^\d+$/.test(cursor) ? null : Number(cursor);
  const reset = since !== null && (since > now || hasChangedBy(sql, since, CATCH_UP_ROWS));
  const hello: LiveEvent = { type: "hello", cursor: String(now), reset, version };
  const caughtUp = since === null || reset ? [] : [...missed(sql, userId, since), ...also];
  for (const event of [...caughtUp, hello]) server.send(JSON.stringify(event));
  return new Response(null, { status: 101, webSocket: client });
}

function missed(sql: SqlStorage, userId: string, since: number): LiveEvent[] {
  return changesSince(sql, userId, since).map(({ chat, id, ...gone }) =>
    chat ? { type: "chat.changed", cursor: String(gone.cursor), chat } : removedEvent(id, gone),
  );
}

/** What tabs get of a chat that is gone from the list. */
export function removedEvent(chatId: string, { cursor, why, title }: RemovedChat): LiveEvent {
  return { type: "chat.deleted", cursor: String(cursor), chat_id: chatId, ...(why && { why, title: title ?? "" }) };
}

/** Sends every tab what changed above a cursor; for more than a tab would take in one by one, only that it did. */
export function notifyChanges(ctx: DurableObjectState, userId: string, since: number): void {
  const { sql } = ctx.storage;
  const isMuch = hasChangedBy(sql, since, CATCH_UP_ROWS);
  broadcast(ctx, isMuch ? [{ type: "chats.changed", cursor: String(currentCursor(sql)) }] : missed(sql, userId, since));
}

/** Sends events to every tab. */
export function broadcast(ctx: DurableObjectState, events: LiveEvent[]): void {
  const frames = events.map((event) => JSON.stringify(event));
  for (const socket of ctx.getWebSockets()) {
    if (closeIfOver(socket)) continue;
    for (const frame of frames) {
      try {
        socket.send(frame);
      } catch {
        // Closing already; the tab catches up by cursor when it returns.
      }
    }
  }
}

/** Ends the sockets of these sessions, or all. */
export function endSockets(ctx: DurableObjectState, sessionIds: string[] | "all"): void {
  const event: LiveEvent = { type: "session.ended", cursor: String(currentCursor(ctx.storage.sql)) };
  for (const socket of ctx.getWebSockets()) {
    if (sessionIds !== "all" && !sessionIds.includes(tabOf(socket)?.sessionId ?? "")) continue;
    try {
      socket.send(JSON.stringify(event));
      socket.close(SESSION_ENDED, "session ended");
    } catch {
      // Closing already.
    }
  }
}

/** Closes a socket whose session's time has run out: its tab comes again, and where the session was used since it is let in. */
export function closeIfOver(socket: WebSocket): boolean {
  const tab = tabOf(socket);
  if (!tab || !isOver(tab)) return false;
  socket.close(COME_AGAIN, "connect again");
  return true;
}

/** Hands a session's sockets to the one that took its place in the same browser, so ending that ends them. */
export function moveSockets(ctx: DurableObjectState, from: string, to: string): void {
  for (const socket of ctx.getWebSockets()) {
    const tab = tabOf(socket);
    if (tab?.sessionId === from) attachTab(socket, { ...tab, sessionId: to });
  }
}

/** Closes every socket without a word; tabs connect again by themselves. */
export function resetSockets(ctx: DurableObjectState): void {
  for (const socket of ctx.getWebSockets()) socket.close(COME_AGAIN, "connect again");
}

/** A room's updates as the user's tabs get them. */
export function toEvent(news: ChatUpdate, chat: Chat, at: number): LiveEvent {
  const cursor = String(at);
  if (news.type === "reply.ended") {
    return { type: "reply.ended", cursor, chat_id: chat.id, reply_id: news.replyId, ...(news.research && { research: news.research }) };
  }
  if (news.type === "person.forgotten") return { type: "people.changed", cursor };
  if (news.type === "todo.changed" || news.type === "runs.changed" || news.type === "queue.changed" || news.type === "mails.changed")
    return { type: news.type, cursor, chat_id: chat.id };
  return { type: "reply.started", cursor, chat_id: chat.id, message_id: news.messageId, reply_id: news.replyId };
}
