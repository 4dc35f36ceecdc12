/** A reply while it is written: its readers tail it in memory, and checkpoints follow after sending. */
import type { ReplyEvent } from "#shared/reply-events.ts";
import type { ReplyPosition } from "#shared/reply-position.ts";
import { openCheckpoints } from "./checkpoints.ts";
import { coalesce } from "./coalesce.ts";
import {
  applyEvent,
  replyContentOf,
  frame,
  opening,
  type Positioned,
  replayAfter,
  seesEvent,
  settledSeq,
  withoutContents,
} from "./reply-log.ts";
import type { ReplyContent } from "#worker/conversation/turn/reply-content.ts";

/** A checkpoint at most this often (milliseconds), or sooner past this many characters: outgoing frames wait for each write. */
const CHECKPOINT_MS = 2_000;
const CHECKPOINT_LENGTH = 16_384;
/** A comment on a silent stream, so dead connections are noticed on both sides. */
const KEEP_ALIVE_MS = 15_000;

const encoder = new TextEncoder();

/** `endsAt` is when the session ends unless it is used again, in epoch milliseconds: its reader comes again, and is let in where it was. */
type Follower = { sessionId: string; userId: string; endsAt?: number | undefined; controller: ReadableStreamDefaultController<Uint8Array> };

export type LiveReply = {
  readonly generation: number;
  /** Sends an event to all readers. */
  publish(event: ReplyEvent): void;
  /** What the readers hold now, what is held back included. */
  content(): ReplyContent;
  /** Stores all that was sent to readers together with what `commit` stores, in one transaction. */
  save(commit: (content: ReplyContent) => void): void;
  /** The event stream from right after `from`, behind `head`. */
  follow(reader: Omit<Follower, "controller">, from: ReplyPosition | null, head: string): ReadableStream<Uint8Array>;
  /** How many streams this user has open. */
  streamsOf(userId: string): number;
  /** Sends the last event, which `commit` answers after it stored the message with its `lastSeq`, in one transaction with the checkpoints' removal. */
  settle(commit: (lastSeq: number) => ReplyEvent): void;
  /** Ends the streams of those who match, without settling. */
  cut(matches: (reader: { sessionId: string; userId: string }) => boolean): void;
  /** Lets the streams of one session go on under the one that took its place. */
  moveSession(from: string, to: string): void;
};

type Start = {
  replyId: string;
  generation: number;
  base: Positioned[];
  /** Whether a reader sees what calls say of mail; asked again for each such event, as it may end while they read. */
  seesMail(userId: string): boolean;
  /** Whose turn it is. */
  payerId: string;
  /** Whether its model has read what is its payer's alone, which it may do at any time. */
  usedOwn(): boolean;
};

/** Opens a reply's live stream; `base` is what earlier generations produced. */
export function openReply(storage: DurableObjectStorage, { replyId, generation, base, seesMail, payerId, usedOwn }: Start): LiveReply {
  const events = [...base];
  const followers = new Set<Follower>();
  let seq = 0;
  let content = replyContentOf(base);
  let unsaved: Positioned[] = [];
  let unsavedLength = 0;
  let checkpointTimer: ReturnType<typeof setTimeout> | null = null;
  let isSettled = false;
  let keepAlive: ReturnType<typeof setInterval> | null = null;
  const checkpoints = openCheckpoints(storage.sql, replyId);
  const coalescer = coalesce(emit);

  function emit(event: ReplyEvent): void {
    append({ generation, seq: (seq += 1), event });
  }

  function append(next: Positioned): void {
    events.push(next);
    content = applyEvent(content, next.event);
    const hidden = withoutContents(next, content.calls);
    send(frame(next), hidden === next ? null : { frame: frame(hidden), sees: (userId) => sees(next, userId) });
    unsaved.push(next);
    unsavedLength += "text" in next.event && typeof next.event.text === "string" ? next.event.text.length : 0;
    if (isSettled) return;
    if (unsavedLength >= CHECKPOINT_LENGTH) checkpoint();
    else checkpointTimer ??= setTimeout(checkpoint, CHECKPOINT_MS);
  }

  function checkpoint(): void {
    if (checkpointTimer !== null) clearTimeout(checkpointTimer);
    checkpointTimer = null;
    if (unsaved.length === 0 || isSettled) return;
    checkpoints.add(unsaved);
    unsaved = [];
    unsavedLength = 0;
  }

  /** A timer keeps the object in memory, so there is one only while somebody reads. */
  function beat(): void {
    if (followers.size > 0) return send(": \n\n", null);
    if (keepAlive !== null) clearInterval(keepAlive);
    keepAlive = null;
  }

  function sees(positioned: Positioned, userId: string): boolean {
    return seesEvent(positioned, { userId, seesMail: seesMail(userId) }, { payerId, usedOwn, calls: content.calls });
  }

  /** Sends `hidden`, where there is one, to those who do not see what an event says. */
  function send(text: string, hidden: { frame: string; sees(userId: string): boolean } | null): void {
    if (followers.size === 0) return;
    const bytes = encoder.encode(text);
    const hiddenBytes = hidden === null ? bytes : encoder.encode(hidden.frame);
    const now = Date.now();
    for (const follower of followers) {
      if (follower.endsAt !== undefined && follower.endsAt <= now) {
        close(follower);
        continue;
      }
      try {
        follower.controller.enqueue(hidden === null || hidden.sees(follower.userId) ? bytes : hiddenBytes);
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
    follow(reader, from, head) {
      coalescer.flush();
      let follower: Follower | null = null;
      return new ReadableStream<Uint8Array>({
        start(controller) {
          follower = { ...reader, controller };
          const missed = replayAfter(events, from);
          const shown = missed.map((event) => (sees(event, reader.userId) ? event : withoutContents(event, content.calls)));
          controller.enqueue(encoder.encode(opening(head, shown)));
          if (isSettled) return controller.close();
          followers.add(follower);
          keepAlive ??= setInterval(beat, KEEP_ALIVE_MS);
        },
        cancel() {
          if (follower) followers.delete(follower);
        },
      });
    },
    streamsOf: (userId) => [...followers].filter((follower) => follower.userId === userId).length,
    save(commit) {
      coalescer.flush();
      storage.transactionSync(() => {
        checkpoint();
        commit(content);
      });
    },
    settle(commit) {
      coalescer.flush();
      const lastSeq = settledSeq(seq, content.calls.length);
      const event = storage.transactionSync(() => {
        checkpoints.drop();
        return commit(lastSeq);
      });
      isSettled = true;
      if (keepAlive !== null) clearInterval(keepAlive);
      if (checkpointTimer !== null) clearTimeout(checkpointTimer);
      append({ generation, seq: lastSeq, event });
      for (const follower of followers) close(follower);
    },
    cut(matches) {
      for (const follower of followers) if (matches(follower)) close(follower);
    },
    moveSession(from, to) {
      for (const follower of followers) if (follower.sessionId === from) follower.sessionId = to;
    },
  };
}
