import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { ReplyPosition } from "#shared/reply-events.ts";
import { type MessageRow, settledEvent } from "../messages/message-row.ts";
import { frame, replayAfter, replayMessage } from "./reply-log.ts";

/** The event stream of a reply that has settled, from right after `from`. */
export function replayStored(message: MessageRow & { calls: ToolCall[] }, from: ReplyPosition | null): ReadableStream<Uint8Array> {
  const text = replayAfter(replayMessage(message, settledEvent(message)), from)
    .map(frame)
    .join("");
  return new Blob([text === "" ? ": \n\n" : text]).stream();
}
