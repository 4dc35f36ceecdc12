/** The user's sockets: hibernating, each tagged with its session, so that ending a session ends them. */
import * as z from "zod/mini";
import type { LiveEvent } from "#shared/live-events.ts";
import { changesSince, countChangesSince, currentCursor } from "./chat-list.ts";

/** More missed rows than this are fetched anew rather than sent one by one. */
const CATCH_UP_ROWS = 200;
/** Closes a socket whose session has ended; the web signs out. */
const SESSION_ENDED = 4001;
/** Closes a socket that should come again: as the account that its guest has become part of. */
const COME_AGAIN = 1012;

const Attachment = z.object({ sessionId: z.string() });

/** Accepts a socket and sends what it missed since `cursor`. */
export function acceptSocket(
  ctx: DurableObjectState,
  { sessionId, userId, cursor, version }: { sessionId: string; userId: string; cursor: string | null; version: string },
): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  ctx.acceptWebSocket(server);
  server.serializeAttachment({ sessionId });
  const { sql } = ctx.storage;
  const now = currentCursor(sql);
  const since = cursor === null || !/^\d+$/.test(cursor) ? null : Number(cursor);
  const reset = since !== null && (since > now || countChangesSince(sql, since) > CATCH_UP_ROWS);
  const hello: LiveEvent = { type: "hello", cursor: String(now), reset, version };
  if (since !== null && !reset) for (const event of missed(sql, userId, since)) server.send(JSON.stringify(event));
  server.send(JSON.stringify(hello));
  return new Response(null, { status: 101, webSocket: client });
}

function missed(sql: SqlStorage, userId: string, since: number): LiveEvent[] {
  return changesSince(sql, userId, since).map(({ cursor, chat, id }) =>
    chat ? { type: "chat.changed", cursor: String(cursor), chat } : { type: "chat.deleted", cursor: String(cursor), chat_id: id },
  );
}

/** Sends events to every tab. */
export function broadcast(ctx: DurableObjectState, events: LiveEvent[]): void {
  for (const socket of ctx.getWebSockets()) {
    for (const event of events) {
      try {
        socket.send(JSON.stringify(event));
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
    const attachment = Attachment.safeParse(socket.deserializeAttachment());
    if (sessionIds !== "all" && !(attachment.success && sessionIds.includes(attachment.data.sessionId))) continue;
    try {
      socket.send(JSON.stringify(event));
      socket.close(SESSION_ENDED, "session ended");
    } catch {
      // Closing already.
    }
  }
}

/** Hands a session's sockets to the one that took its place in the same browser, so that ending that ends them. */
export function moveSockets(ctx: DurableObjectState, from: string, to: string): void {
  for (const socket of ctx.getWebSockets()) {
    const attachment = Attachment.safeParse(socket.deserializeAttachment());
    if (attachment.success && attachment.data.sessionId === from) socket.serializeAttachment({ sessionId: to });
  }
}

/** Closes every socket without a word; tabs connect anew by themselves. */
export function resetSockets(ctx: DurableObjectState): void {
  for (const socket of ctx.getWebSockets()) socket.close(COME_AGAIN, "connect again");
}
