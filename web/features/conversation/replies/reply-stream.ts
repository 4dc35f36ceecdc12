import type { TurnStarted } from "#shared/contracts/chat/messages.ts";
import { AcceptedEvent, type ReplyEvent, decodeReplyEvent } from "#shared/reply-events.ts";
import { type ReplyPosition, parsePosition } from "#shared/reply-position.ts";
import { ApiError } from "#web/lib/api.ts";
import { readFrames } from "#web/lib/event-frames.ts";
import { createListeners } from "#web/lib/store.ts";
import { reduceReply } from "./reply-reducer.ts";
import { EMPTY_REPLY, type ReplyState } from "./reply-state.ts";

/** What a connection reports. */
export type SourceEvents = {
  message: (data: string, lastEventId: string) => void;
  /** `lost` is true when it will not come back by itself. */
  error: (lost: boolean) => void;
  /** It is over, and what it reported stands: another one goes on from there. */
  end: () => void;
};

export type Source = { close: () => void };

/** The answer to a turn's own request: what was accepted, and its reply's events for whoever connects. */
export type TurnAnswer = { started: TurnStarted; connect: (events: SourceEvents) => Source };

export type StreamDeps = {
  open: (events: SourceEvents, after: ReplyPosition | null) => Source;
  /** Runs once, soon: behind the next frame, or four times a second in a hidden tab. */
  schedule: (flush: () => void) => void;
  later: (run: () => void, delayMs: number) => () => void;
  onSettled: (state: ReplyState) => void;
  /** The server refused the stream for good: the messages must be read again before the next try. */
  onLost: () => void;
};

const FIRST_DELAY_MS = 1_000;
const LAST_DELAY_MS = 30_000;

/** Follows one reply from its start until it settles; the browser resumes lost connections by `Last-Event-ID`. */
export function createReplyStream(deps: StreamDeps) {
  let state = EMPTY_REPLY;
  let waiting: { event: ReplyEvent; position: ReplyPosition | null }[] = [];
  let source: Source | null = null;
  let cancelRetry = (): void => undefined;
  let refusals = 0;
  let isClosed = false;
  const { notify, subscribe } = createListeners();

  function flush(): void {
    if (isClosed || waiting.length === 0) return;
    state = waiting.reduce((held, { event, position }) => reduceReply(held, event, position), state);
    waiting = [];
    notify();
    if (state.settled !== null) {
      close();
      deps.onSettled(state);
    }
  }

  function open(): void {
    const events: SourceEvents = {
      message(data, lastEventId) {
        refusals = 0;
        const event = decodeReplyEvent(data);
        if (event === null) return;
        waiting.push({ event, position: parsePosition(lastEventId) });
        if (waiting.length === 1) deps.schedule(flush);
      },
      error(lost) {
        if (lost && !isClosed) reopen();
      },
      end() {
        flush();
        if (!isClosed) open();
      },
    };
    source = deps.open(events, state.position);
  }

  function reopen(): void {
    // A fresh source has no position to resume from: it gets everything again from the start.
    waiting = [];
    state = { ...EMPTY_REPLY, modelId: state.modelId };
    const delay = Math.min(FIRST_DELAY_MS * 2 ** refusals, LAST_DELAY_MS);
    refusals += 1;
    cancelRetry = deps.later(open, delay);
    deps.onLost();
  }

  function close(): void {
    isClosed = true;
    cancelRetry();
    source?.close();
  }

  open();
  return {
    read: (): ReplyState => state,
    subscribe,
    close,
  };
}

export type ReplyStream = ReturnType<typeof createReplyStream>;

/** Reads the answer to a turn's own request up to what was accepted; what comes after it waits for whoever connects. */
export function readAnswer(body: ReadableStream<BufferSource>): Promise<TurnAnswer> {
  return new Promise((resolve, reject) => {
    let isAccepted = false;
    let isOver = false;
    let events: SourceEvents | null = null;
    const early: [data: string, id: string][] = [];
    const close = readFrames(body, {
      message(data, id) {
        if (events) events.message(data, id);
        else if (isAccepted) early.push([data, id]);
        else accept(AcceptedEvent.safeParse(JSON.parse(data)));
      },
      end() {
        isOver = true;
        // The answer does not say what began: the same request again does.
        if (!isAccepted) reject(new ApiError({ code: "OFFLINE", message: "The server cannot be reached.", status: 0 }));
        events?.end();
      },
    });

    function accept(read: ReturnType<typeof AcceptedEvent.safeParse>): void {
      isAccepted = true;
      if (read.success) resolve({ started: read.data, connect });
      else reject(read.error);
    }

    function connect(next: SourceEvents): Source {
      for (const [data, id] of early.splice(0)) next.message(data, id);
      events = next;
      // Not within the connecting, as it may connect again.
      if (isOver) queueMicrotask(next.end);
      return { close };
    }
  });
}
