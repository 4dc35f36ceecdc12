import type { ToolCall } from "#shared/entities/tool-call.ts";
import type { TurnStarted } from "#shared/contracts/chat/messages.ts";
import { type AcceptedEvent, encodeReplyEvent, type ReplyEvent } from "#shared/reply-events.ts";
import { formatPosition, type ReplyPosition } from "#shared/reply-position.ts";
import { isPrivateAddress, withoutNames } from "#shared/knowledge-citations.ts";
import { applyToolEvent } from "#shared/tools/tool-call-events.ts";
import type { ReplyContent } from "#worker/conversation/turn/reply-content.ts";
import { type CallReader, canSeeCall, withoutContent } from "#worker/conversation/turn/tool-call.ts";
import { joinEvents } from "./coalesce.ts";
import { settledEvent } from "../messages/message-row.ts";
import type { MessageRow } from "#worker/conversation/room/chat-copy.ts";

/** An event and where it stands. */
export type Positioned = ReplyPosition & { event: ReplyEvent };

/** Positions left free before the last event, so a replay from the stored message can number its chunks after any a reader has seen. */
const SETTLE_GAP = 4;

/** True when `a` stands after `b`. */
export function isAfter(a: ReplyPosition, b: ReplyPosition): boolean {
  return a.generation > b.generation || (a.generation === b.generation && a.seq > b.seq);
}

/** What a reader at `from` has yet to see (all of it without one), with neighbouring chunks joined. */
export function replayAfter(events: Positioned[], from: ReplyPosition | null): Positioned[] {
  const replay: Positioned[] = [];
  for (const next of events) {
    if (from && !isAfter(next, from)) continue;
    const last = replay.at(-1);
    const joined = last && last.generation === next.generation ? joinEvents(last.event, next.event) : null;
    if (joined) replay[replay.length - 1] = { ...next, event: joined };
    else replay.push(next);
  }
  return replay;
}

type SettledReply = {
  generation: number;
  last_seq: number;
  content: string;
  reasoning: string | null;
  reasoning_ms: number | null;
  calls: readonly ToolCall[];
};

/** The events of a settled reply, made from its stored message: one piece of each kind and each call, numbered right before `lastSeq`. */
export function replayMessage(message: SettledReply, settled: ReplyEvent | null): Positioned[] {
  const { generation, last_seq: last, content, reasoning, reasoning_ms: ms, calls } = message;
  const first = last - 3 - calls.length;
  const events: Positioned[] = [{ generation, seq: first, event: { type: "replace", text: 0, reasoning: 0 } }];
  for (const [index, call] of calls.entries()) events.push({ generation, seq: first + 1 + index, event: { type: "tool", call } });
  if (reasoning) events.push({ generation, seq: last - 2, event: { type: "reasoning", text: reasoning, ms: ms ?? 0 } });
  if (content !== "") events.push({ generation, seq: last - 1, event: { type: "text", text: content } });
  if (settled) events.push({ generation, seq: last, event: settled });
  return events;
}

/** The position of a reply's last event: so many calls will have to be sent before it. */
export function lastEventSeq(lastSeq: number, calls: number): number {
  return lastSeq + SETTLE_GAP + calls;
}

const NOTHING: ReplyContent = { text: "", reasoning: "", reasoningMs: 0, calls: [], citations: [] };

/** What a reader holds after one more event. */
export function applyEvent(content: ReplyContent, event: ReplyEvent): ReplyContent {
  if (event.type === "text") return { ...content, text: content.text + event.text };
  if (event.type === "reasoning") return { ...content, reasoning: content.reasoning + event.text, reasoningMs: event.ms };
  if (event.type === "tool" || event.type === "tool_part") return { ...content, calls: applyToolEvent(content.calls, event) };
  if (event.type === "citations") return { ...content, citations: event.citations };
  if (event.type === "replace") {
    return { ...content, text: content.text.slice(0, event.text), reasoning: content.reasoning.slice(0, event.reasoning) };
  }
  return content;
}

/** What a reader holds after all events. */
export function replyContentOf(events: Positioned[]): ReplyContent {
  return events.reduce((content, { event }) => applyEvent(content, event), NOTHING);
}

/** What a stream begins with: a silent one with a comment, as a sign of life. */
export function opening(head: string, events: Positioned[]): string {
  return head + events.map(frame).join("") || ": \n\n";
}

/** The event before all others, where a turn's own request is answered. */
export function frameAccepted(started: TurnStarted): string {
  return `data:${JSON.stringify({ type: "accepted", ...started } satisfies AcceptedEvent)}\n\n`;
}

/** Of a reply whose turn it is, whether its model has read what is that person's alone, and its calls. */
type Whose = { payerId: string; usedOwn: () => boolean; calls: readonly ToolCall[] };

/** Whether a reader sees what an event says: of calls what they may; what is cited of knowledge and mail, and thought about what is its payer's alone, the payer. */
export function canSeeEvent({ event }: Positioned, reader: CallReader, { payerId, usedOwn, calls }: Whose): boolean {
  if (event.type === "citations" || event.type === "settled") return reader.userId === payerId;
  if (event.type === "reasoning") return reader.userId === payerId || !usedOwn();
  const call = callOf(event, calls);
  return call === undefined || canSeeCall(call, reader);
}

/** The call that an event says something of. */
function callOf(event: ReplyEvent, calls: readonly ToolCall[]): ToolCall | undefined {
  if (event.type === "tool") return event.call;
  return event.type === "tool_part" ? calls.find(({ id }) => id === event.call_id) : undefined;
}

/** The same event for a reader who does not see what it says; the very same where it says nothing of that kind. */
export function withoutContents(positioned: Positioned, calls: readonly ToolCall[]): Positioned {
  const { event } = positioned;
  if (event.type === "reasoning") return { ...positioned, event: { ...event, text: "", ms: 0 } };
  if (event.type === "citations" || event.type === "settled") {
    if (!event.citations.some(({ url }) => isPrivateAddress(url))) return positioned;
    return { ...positioned, event: { ...event, citations: withoutNames(event.citations) } };
  }
  const original = callOf(event, calls);
  const call = original && withoutContent(original);
  return call === undefined || call === original ? positioned : { ...positioned, event: { type: "tool", call } };
}

/** One server-sent event. */
export function frame(positioned: Positioned): string {
  return `id:${formatPosition(positioned)}\ndata:${encodeReplyEvent(positioned.event)}\n\n`;
}

/** The event stream of a reply that has settled, from right after `from`, behind `head`. */
export function replayStored(
  message: MessageRow & { calls: ToolCall[] },
  from: ReplyPosition | null,
  head: string,
): ReadableStream<Uint8Array> {
  return new Blob([opening(head, replayAfter(replayMessage(message, settledEvent(message)), from))]).stream();
}
