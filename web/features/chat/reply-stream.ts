import { finishDocument } from "#shared/markdown/finish.ts";
import { emptyDocument, growDocument } from "#shared/markdown/incremental.ts";
import { type ReplyEvent, type ReplyPosition, decodeReplyEvent, parsePosition } from "#shared/reply-events.ts";
import { takeGrowing } from "#web/features/markdown/growing.ts";
import { reduceReply } from "./reply-reducer.ts";
import { EMPTY_REPLY, type ReplyState } from "./reply-state.ts";

takeGrowing({ grow: (former, text) => growDocument(former ?? emptyDocument, text), finish: finishDocument });

/** What a connection tells. `lost` is true when it will not come back by itself. */
export type SourceEvents = { message: (data: string, lastEventId: string) => void; error: (lost: boolean) => void };

export type StreamDeps = {
  open: (events: SourceEvents) => { close: () => void };
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
  let source: { close: () => void } | null = null;
  let cancelRetry = (): void => undefined;
  let refusals = 0;
  let isClosed = false;
  const listeners = new Set<() => void>();

  function flush(): void {
    if (isClosed || waiting.length === 0) return;
    state = waiting.reduce((held, { event, position }) => reduceReply(held, event, position), state);
    waiting = [];
    for (const listener of listeners) listener();
    if (state.settled !== null) {
      close();
      deps.onSettled(state);
    }
  }

  function open(): void {
    source = deps.open({
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
    });
  }

  function reopen(): void {
    // A fresh source has no position to resume from: it is told everything again from the start.
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
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
  };
}

export type ReplyStream = ReturnType<typeof createReplyStream>;
