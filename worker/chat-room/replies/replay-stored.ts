import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { ReplyPosition } from "#shared/reply-position.ts";
import { type MessageRow, settledEvent } from "../messages/message-row.ts";
import { opening, replayAfter, replayMessage } from "./reply-log.ts";

/** The event stream of a reply that has settled, from right after `from`, behind `head`. */
export function replayStored(
  message: MessageRow & { calls: ToolCall[] },
  from: ReplyPosition | null,
  head: string,
): ReadableStream<Uint8Array> {
  return new Blob([opening(head, replayAfter(replayMessage(message, settledEvent(message)), from))]).stream();
}
