import { parsePosition, type ReplyPosition } from "#shared/reply-events.ts";

type Follow = { replyId: string; reader: { userId: string; sessionId: string }; from: ReplyPosition | null };

/** Who wants which reply's events, and from where: `GET /replies/{id}` with the reader's ids in headers that only the Worker sets. */
export function readFollow(request: Request): Follow {
  return {
    replyId: new URL(request.url).pathname.split("/").at(-1) ?? "",
    reader: { userId: request.headers.get("x-user-id") ?? "", sessionId: request.headers.get("x-session-id") ?? "" },
    from: parsePosition(request.headers.get("last-event-id")),
  };
}

/** A reply's event stream as an answer; 404 where there is none. */
export function streamResponse(stream: ReadableStream<Uint8Array> | null): Response {
  if (!stream) return new Response(null, { status: 404 });
  return new Response(stream, { headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" } });
}
