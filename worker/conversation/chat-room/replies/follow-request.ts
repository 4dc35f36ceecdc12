import { parsePosition } from "#shared/reply-position.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { startedTurn, TurnRequest } from "#worker/conversation/turn/request.ts";
import { NOT_FOUND } from "../access/access.ts";
import type { ChatRoomRpc, RefusedEvents } from "#worker/conversation/room/rpc.ts";
import type { Room } from "../room-parts.ts";
import { frameAccepted } from "./reply-log.ts";
import type { StreamPlaces } from "./stream-slots.ts";
import type { TurnRunner, Who } from "./turn-runner.ts";

type Deps = Pick<Room, "refuse"> & {
  turns: Pick<TurnRunner, "follow">;
  places: Pick<StreamPlaces, "admits">;
  begin(request: TurnRequest): ReturnType<ChatRoomRpc["beginTurn"]>;
};
const TOO_MANY = { ok: false, code: "STREAMS_LIMITED" } as const;

type Place = Parameters<TurnRunner["follow"]>[2];
type Following = { replyId: string; reader: Who; place: Place };

/**
 * A reply's event stream: `GET /replies/{id}` with the reader's ids in headers that only the Worker sets, or that of the turn which
 * a POST has in its body, behind its `accepted`.
 */
export async function answerEvents(room: Deps, request: Request): Promise<Response> {
  return request.method === "POST" ? beginAndFollow(room, TurnRequest.parse(await request.json())) : follow(room, readFollow(request));
}

async function beginAndFollow(room: Deps, request: TurnRequest): Promise<Response> {
  const begun = await room.begin(request);
  if (!begun.ok) return refusal(begun);
  const head = frameAccepted(startedTurn(request, begun.value));
  return follow(room, { replyId: begun.value.replyId, reader: request.reader, place: { from: null, head } });
}

/** Whoever lost the chat while the turn began is refused, as its stream would be cut. */
async function follow({ refuse, turns, places }: Deps, { replyId, reader, place }: Following): Promise<Response> {
  const isTooMany = refuse(reader, "read") === null && !(await places.admits(replyId, reader.userId));
  const refused = refuse(reader, "read") ?? (isTooMany ? TOO_MANY : null);
  const stream = refused ? null : turns.follow(replyId, reader, place);
  if (!stream) return refusal(refused ?? NOT_FOUND);
  return new Response(stream, { headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" } });
}

function refusal(refused: Extract<Outcome<never>, { ok: false }>): Response {
  return Response.json(refused satisfies RefusedEvents, { status: 403 });
}

function readFollow({ url, headers }: Request): Following {
  const questionId = headers.get("x-accepted");
  const replyId = new URL(url).pathname.split("/").at(-1) ?? "";
  return {
    replyId,
    reader: {
      userId: headers.get("x-user-id") ?? "",
      sessionId: headers.get("x-session-id") ?? "",
      endsAt: Number(headers.get("x-session-ends")) || undefined,
    },
    place: {
      from: parsePosition(headers.get("last-event-id")),
      ...(questionId !== null && { head: frameAccepted({ messageId: questionId, replyId }) }),
    },
  };
}
