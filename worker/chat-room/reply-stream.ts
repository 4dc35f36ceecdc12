/** A reply while it is written: its readers tail it in memory, and checkpoints follow after sending. The only importer of agents/streams. */
import { Streams, type StreamWriter } from "agents/streams";
import * as z from "zod/mini";
import { decodeReplyEvent, encodeReplyEvent, type ReplyEvent, type ReplyPosition } from "#shared/reply-events.ts";
import { coalesce } from "./coalesce.ts";
import { applyEvent, contentOf, frame, type Positioned, type ReplyContent, replayAfter, settledSeq } from "./reply-log.ts";

/** A checkpoint at most this often (milliseconds), or sooner past this many characters: outgoing frames wait for each write (quality.md). */
const CHECKPOINT_MS = 2_000;
const CHECKPOINT_LENGTH = 16_384;
/** A comment on a silent stream, so that dead connections are noticed on both sides. */
const KEEP_ALIVE_MS = 15_000;

const encoder = new TextEncoder();

/** One stored checkpoint: events since the one before, as `[generation, seq, data]`. */
const Checkpoint = z.array(z.tuple([z.number(), z.number(), z.string()]));

type Follower = { sessionId: string; userId: string; controller: ReadableStreamDefaultController<Uint8Array> };

export type LiveReply = {
  readonly generation: number;
  /** Sends an event to all readers. */
  publish(event: ReplyEvent): void;
  /** What the readers hold now, what is held back included. */
  content(): ReplyContent;
  /** The event stream from right after `from`. */
  follow(reader: { sessionId: string; userId: string }, from: ReplyPosition | null): ReadableStream<Uint8Array>;
  /** Sends the last event, which `commit` answers after it stored the message with its `lastSeq`, in one transaction with the log's removal. */
  settle(commit: (lastSeq: number) => ReplyEvent): void;
  /** Ends the streams of those who match, without settling. */
  cut(matches: (reader: { sessionId: string; userId: string }) => boolean): void;
};

/** The store of checkpoints, to be installed on the room's lifecycle. */
export function createReplyStore() {
  const streams = new Streams();
  return {
    capability: streams,
    /** Opens a reply's live stream; `base` is what earlier generations produced. */
    async open(replyId: string, start: { generation: number; base: Positioned[] }): Promise<LiveReply> {
      return createLiveReply(await streams.open(replyId), start);
    },
    /** The events that reached the log before the object died. */
    async recover(replyId: string): Promise<Positioned[]> {
      const status = await streams.status(replyId);
      if (!status) return [];
      const events: Positioned[] = [];
      for (let from = 0; from < status.cursor;) {
        for await (const batch of streams.readBatches(replyId, { from, signal: AbortSignal.timeout(5_000) })) {
          for (const { seq, chunk } of batch) {
            for (const [generation, at, data] of Checkpoint.parse(chunk)) {
              const event = decodeReplyEvent(data);
              if (event) events.push({ generation, seq: at, event });
            }
            from = seq + 1;
          }
          if (from >= status.cursor) break;
        }
      }
      return events;
    },
  };
}

export type ReplyStore = ReturnType<typeof createReplyStore>;

function createLiveReply(writer: StreamWriter, { generation, base }: { generation: number; base: Positioned[] }): LiveReply {
  const events = [...base];
  const followers = new Set<Follower>();
  let seq = 0;
  let content = contentOf(base);
  let unsaved: Positioned[] = [];
  let unsavedLength = 0;
  let checkpointTimer: ReturnType<typeof setTimeout> | null = null;
  let isSettled = false;
  const keepAlive = setInterval(() => send(": \n\n"), KEEP_ALIVE_MS);
  const coalescer = coalesce(emit);

  function emit(event: ReplyEvent): void {
    append({ generation, seq: (seq += 1), event });
  }

  function append(next: Positioned): void {
    events.push(next);
    content = applyEvent(content, next.event);
    send(frame(next));
    unsaved.push(next);
    unsavedLength += next.event.type === "text" || next.event.type === "reasoning" ? next.event.text.length : 0;
    if (isSettled) return;
    if (unsavedLength >= CHECKPOINT_LENGTH) checkpoint();
    else checkpointTimer ??= setTimeout(checkpoint, CHECKPOINT_MS);
  }

  function checkpoint(): void {
    if (checkpointTimer !== null) clearTimeout(checkpointTimer);
    checkpointTimer = null;
    if (unsaved.length === 0 || isSettled) return;
    // Each event by itself: a reader may come back with the position of any of them.
    const chunk = unsaved.map((saved) => [saved.generation, saved.seq, encodeReplyEvent(saved.event)]);
    unsaved = [];
    unsavedLength = 0;
    writer.append(chunk);
  }

  function send(text: string): void {
    if (followers.size === 0) return;
    const bytes = encoder.encode(text);
    for (const follower of followers) {
      try {
        follower.controller.enqueue(bytes);
      } catch {
        // The reader went away between two frames.
        followers.delete(follower);
      }
    }
  }

  function close(follower: Follower): void {
    followers.delete(follower);
    try {
      follower.controller.close();
    } catch {
      // Already gone.
    }
  }

  return {
    generation,
    publish: (event) => coalescer.push(event),
    content() {
      coalescer.flush();
      return content;
    },
    follow(reader, from) {
      coalescer.flush();
      let follower: Follower | null = null;
      return new ReadableStream<Uint8Array>({
        start(controller) {
          follower = { ...reader, controller };
          const missed = replayAfter(events, from).map(frame).join("");
          controller.enqueue(encoder.encode(missed === "" ? ": \n\n" : missed));
          if (isSettled) controller.close();
          else followers.add(follower);
        },
        cancel() {
          if (follower) followers.delete(follower);
        },
      });
    },
    settle(commit) {
      coalescer.flush();
      const lastSeq = settledSeq(seq);
      let event: ReplyEvent | null = null;
      const settleWith = () => {
        event = commit(lastSeq);
      };
      writer.close({ commit: settleWith, discard: true });
      isSettled = true;
      clearInterval(keepAlive);
      if (checkpointTimer !== null) clearTimeout(checkpointTimer);
      if (event) append({ generation, seq: lastSeq, event });
      for (const follower of followers) close(follower);
    },
    cut(matches) {
      for (const follower of followers) if (matches(follower)) close(follower);
    },
  };
}
