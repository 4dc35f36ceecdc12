/** A reply while it is written: its readers tail it in memory, and checkpoints follow after sending. */
import type { ReplyEvent } from "#shared/reply-events.ts";
import type { ReplyPosition } from "#shared/reply-position.ts";
import { type Checkpoints, openCheckpoints } from "./checkpoints.ts";
import { coalesce } from "./coalesce.ts";
import {
  applyEvent,
  replyContentOf,
  frame,
  opening,
  type Positioned,
  replayAfter,
  canSeeEvent,
  lastEventSeq,
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

/** What each reader sees of a reply. */
type Reading = {
  /** Whether a reader sees what calls say of mail; asked again for each such event, as it may end while they read. */
  seesMail(userId: string): boolean;
  /** Whose turn it is. */
  payerId: string;
  /** Whether its model has read what is its payer's alone, which it may do at any time. */
  usedOwn(): boolean;
};

type Start = Reading & { replyId: string; generation: number; base: Positioned[] };

/** A reply's live stream. */
export class LiveReply {
  readonly generation: number;
  readonly #storage: DurableObjectStorage;
  readonly #reading: Reading;
  readonly #events: Positioned[];
  readonly #followers = new Set<Follower>();
  readonly #checkpoints: Checkpoints;
  readonly #coalescer = coalesce((event) => this.#emit(event));
  #seq = 0;
  #content: ReplyContent;
  #unsaved: Positioned[] = [];
  #unsavedLength = 0;
  #checkpointTimer: ReturnType<typeof setTimeout> | null = null;
  #isSettled = false;
  #keepAlive: ReturnType<typeof setInterval> | null = null;

  /** `base` is what earlier generations produced. */
  constructor(storage: DurableObjectStorage, { replyId, generation, base, ...reading }: Start) {
    this.generation = generation;
    this.#storage = storage;
    this.#reading = reading;
    this.#events = [...base];
    this.#content = replyContentOf(base);
    this.#checkpoints = openCheckpoints(storage.sql, replyId);
  }

  /** Sends an event to all readers. */
  publish(event: ReplyEvent): void {
    this.#coalescer.push(event);
  }

  /** What the readers hold now, what is held back included. */
  content(): ReplyContent {
    this.#coalescer.flush();
    return this.#content;
  }

  /** Stores all that was sent to readers together with what `commit` stores, in one transaction. */
  save(commit: (content: ReplyContent) => void): void {
    this.#coalescer.flush();
    this.#storage.transactionSync(() => {
      this.#checkpoint();
      commit(this.#content);
    });
  }

  /** The event stream from right after `from`, behind `head`. */
  follow(reader: Omit<Follower, "controller">, from: ReplyPosition | null, head: string): ReadableStream<Uint8Array> {
    this.#coalescer.flush();
    let follower: Follower | null = null;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        follower = { ...reader, controller };
        const missed = replayAfter(this.#events, from);
        const shown = missed.map((event) => (this.#sees(event, reader.userId) ? event : withoutContents(event, this.#content.calls)));
        controller.enqueue(encoder.encode(opening(head, shown)));
        if (this.#isSettled) return controller.close();
        this.#followers.add(follower);
        this.#keepAlive ??= setInterval(() => this.#beat(), KEEP_ALIVE_MS);
      },
      cancel: () => {
        if (follower) this.#followers.delete(follower);
      },
    });
  }

  /** How many streams this user has open. */
  streamsOf(userId: string): number {
    return [...this.#followers].filter((follower) => follower.userId === userId).length;
  }

  /** Sends the last event, which `commit` answers after it stored the message with its `lastSeq`, in one transaction with the checkpoints' removal. */
  settle(commit: (lastSeq: number) => ReplyEvent): void {
    this.#coalescer.flush();
    const lastSeq = lastEventSeq(this.#seq, this.#content.calls.length);
    const event = this.#storage.transactionSync(() => {
      this.#checkpoints.drop();
      return commit(lastSeq);
    });
    this.#isSettled = true;
    if (this.#keepAlive !== null) clearInterval(this.#keepAlive);
    if (this.#checkpointTimer !== null) clearTimeout(this.#checkpointTimer);
    this.#append({ generation: this.generation, seq: lastSeq, event });
    for (const follower of this.#followers) this.#close(follower);
  }

  /** Ends the streams of those who match, without settling. */
  cut(matches: (reader: { sessionId: string; userId: string }) => boolean): void {
    for (const follower of this.#followers) if (matches(follower)) this.#close(follower);
  }

  /** Lets the streams of one session go on under the one that took its place. */
  moveSession(from: string, to: string): void {
    for (const follower of this.#followers) if (follower.sessionId === from) follower.sessionId = to;
  }

  #emit(event: ReplyEvent): void {
    this.#append({ generation: this.generation, seq: (this.#seq += 1), event });
  }

  #append(next: Positioned): void {
    this.#events.push(next);
    this.#content = applyEvent(this.#content, next.event);
    const hidden = withoutContents(next, this.#content.calls);
    this.#send(frame(next), hidden === next ? null : { frame: frame(hidden), sees: (userId) => this.#sees(next, userId) });
    this.#unsaved.push(next);
    this.#unsavedLength += "text" in next.event && typeof next.event.text === "string" ? next.event.text.length : 0;
    if (this.#isSettled) return;
    if (this.#unsavedLength >= CHECKPOINT_LENGTH) this.#checkpoint();
    else this.#checkpointTimer ??= setTimeout(() => this.#checkpoint(), CHECKPOINT_MS);
  }

  #checkpoint(): void {
    if (this.#checkpointTimer !== null) clearTimeout(this.#checkpointTimer);
    this.#checkpointTimer = null;
    if (this.#unsaved.length === 0 || this.#isSettled) return;
    this.#checkpoints.add(this.#unsaved);
    this.#unsaved = [];
    this.#unsavedLength = 0;
  }

  /** A timer keeps the object in memory, so there is one only while somebody reads. */
  #beat(): void {
    if (this.#followers.size > 0) return this.#send(": \n\n", null);
    if (this.#keepAlive !== null) clearInterval(this.#keepAlive);
    this.#keepAlive = null;
  }

  #sees(positioned: Positioned, userId: string): boolean {
    const { seesMail, payerId, usedOwn } = this.#reading;
    return canSeeEvent(positioned, { userId, seesMail: seesMail(userId) }, { payerId, usedOwn, calls: this.#content.calls });
  }

  /** Sends `hidden`, where there is one, to those who do not see what an event says. */
  #send(text: string, hidden: { frame: string; sees(userId: string): boolean } | null): void {
    if (this.#followers.size === 0) return;
    const bytes = encoder.encode(text);
    const hiddenBytes = hidden === null ? bytes : encoder.encode(hidden.frame);
    const now = Date.now();
    for (const follower of this.#followers) {
      if (follower.endsAt !== undefined && follower.endsAt <= now) {
        this.#close(follower);
        continue;
      }
      try {
        follower.controller.enqueue(hidden === null || hidden.sees(follower.userId) ? bytes : hiddenBytes);
      } catch {
        // The reader went away between two frames.
        this.#followers.delete(follower);
      }
    }
  }

  #close(follower: Follower): void {
    this.#followers.delete(follower);
    try {
      follower.controller.close();
    } catch {
      // Already gone.
    }
  }
}
