import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { Env } from "#worker/platform/env.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { TurnRequest } from "#worker/conversation/turn/request.ts";
import { type ChatRoomRpc, RefusedEvents } from "./rpc.ts";

type RoomStub = DurableObjectStub<ChatRoomRpc>;

/** The room of a chat; `hint` says where it is best made. Expected failures come back as outcomes, for `unwrap` to throw. */
export function roomOf(env: Env, chatId: string, hint?: DurableObjectNamespaceGetDurableObjectOptions): RoomStub {
  return stubOf<ChatRoomRpc>(env.CHAT_ROOM, chatId, hint);
}

/** Begins a turn and follows its reply, in one request of the room: its events, `accepted` before them. */
export async function streamTurn(room: RoomStub, request: TurnRequest): Promise<Outcome<Response>> {
  return toEvents(
    await room.fetch("https://room/turns", {
      method: "POST",
      body: JSON.stringify(request),
    }),
  );
}

type Follow = {
  replyId: string;
  reader: { userId: string; sessionId: string; endsAt?: number | undefined };
  /** The last event already held; without one, all are sent. */
  after?: string | undefined;
  /** The question's id, where `accepted` is to come before them. */
  accepted?: string;
};

/** A reply's events. */
export async function followReply(room: RoomStub, { replyId, reader, after, accepted }: Follow): Promise<Outcome<Response>> {
  const headers = new Headers({ "x-user-id": reader.userId, "x-session-id": reader.sessionId });
  if (reader.endsAt !== undefined) headers.set("x-session-ends", String(reader.endsAt));
  if (after !== undefined) headers.set("last-event-id", after);
  if (accepted !== undefined) headers.set("x-accepted", accepted);
  return toEvents(await room.fetch(`https://room/replies/${replyId}`, { headers }));
}

async function toEvents(response: Response): Promise<Outcome<Response>> {
  // A fetched answer's headers cannot be added to.
  return response.ok ? { ok: true, value: new Response(response.body, response) } : RefusedEvents.parse(await response.json());
}
