/** The user's sockets: hibernating, each tagged with its session, so that ending a session ends them. */
import * as z from "zod/mini";
import { LIVE_SOCKETS_MAX, LIVE_TOO_MANY } from "#shared/live-limits.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { changesSince, currentCursor, hasChangedBy } from "./chat-list.ts";

/** More missed rows than this are fetched anew rather than sent one by one. */
export const CATCH_UP_ROWS = 200;
/** Closes a socket whose session has ended; the web signs out. */
const SESSION_ENDED = 4001;
/** Closes a socket that should come again: as the account that its guest has become part of. */
const COME_AGAIN = 1012;

/** `at` is when the socket was opened, in epoch milliseconds. */
const Attachment = z.object({ sessionId: z.string(), at: z._default(z.number(), 0) });

/** Accepts a socket and sends what it missed since `cursor`. */
export function acceptSocket(
  ctx: DurableObjectState,
  { sessionId, userId, cursor, version }: { sessionId: string; userId: string; cursor: string | null; version: string },
): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  makeRoom(ctx);
  ctx.acceptWebSocket(server);
  server.serializeAttachment({ sessionId, at: Date.now() });
  const { sql } = ctx.storage;
  const now = currentCursor(sql);
  const since = cursor === null || !/^\d+$/.test(cursor) ? null : Number(cursor);
  const reset = since !== null && (since > now || hasChangedBy(sql, since, CATCH_UP_ROWS));
  const hello: LiveEvent = { type: "hello", cursor: String(now), reset, version };
  if (since !== null && !reset) for (const event of missed(sql, userId, since)) server.send(JSON.stringify(event));
  server.send(JSON.stringify(hello));
  return new Response(null, { status: 101, webSocket: client });
}

/** Closes the oldest sockets where one more would be too many; their tabs come back when they are looked at. */
function makeRoom(ctx: DurableObjectState): void {
  const open = ctx.getWebSockets().filter((socket) => socket.readyState === WebSocket.OPEN);
  const oldest = open.map((socket) => ({ socket, at: attachmentOf(socket)?.at ?? 0 })).toSorted((one, other) => one.at - other.at);
  for (const { socket } of oldest.slice(0, Math.max(0, open.length - LIVE_SOCKETS_MAX + 1))) socket.close(LIVE_TOO_MANY, "too many tabs");
}

function attachmentOf(socket: WebSocket): z.infer<typeof Attachment> | null {
  return Attachment.safeParse(socket.deserializeAttachment()).data ?? null;
}

function missed(sql: SqlStorage, userId: string, since: number): LiveEvent[] {
  return changesSince(sql, userId, since).map(({ cursor, chat, id }) =>
    chat ? { type: "chat.changed", cursor: String(cursor), chat } : { type: "chat.deleted", cursor: String(cursor), chat_id: id },
  );
}

/** Sends events to every tab. */
export function broadcast(ctx: DurableObjectState, events: LiveEvent[]): void {
  const frames = events.map((event) => JSON.stringify(event));
  for (const socket of ctx.getWebSockets()) {
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
    if (sessionIds !== "all" && !sessionIds.includes(attachmentOf(socket)?.sessionId ?? "")) continue;
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
    const attachment = attachmentOf(socket);
    if (attachment?.sessionId === from) socket.serializeAttachment({ ...attachment, sessionId: to });
  }
}

/** Closes every socket without a word; tabs connect anew by themselves. */
export function resetSockets(ctx: DurableObjectState): void {
  for (const socket of ctx.getWebSockets()) socket.close(COME_AGAIN, "connect again");
}
