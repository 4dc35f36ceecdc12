import type { ReplyEvent } from "#shared/reply-events.ts";
import { timerLagMs } from "#worker/platform/clients/yield-to-loop.ts";

/** At most one event in this many milliseconds: a burst of tokens becomes one frame, and a frame costs more than its text. */
const COALESCE_MS = 55;
/**
 * What is held back goes out with the first chunk that comes after that, and by itself this many milliseconds later: in a steady
 * stream no timer runs out, and one that does enters the isolate again.
 */
const GRACE_MS = 35;
/** Timers later than this many milliseconds mean an overloaded thread, and rarer frames are less work. */
const LATE_MS = 25;
/** What the window grows by at most, in milliseconds. */
const LONGER_MS = 240;

export type Coalescer = {
  push(event: ReplyEvent): void;
  /** Emits what is held back, at once. */
  flush(): void;
};

/** Joins chunks of text, of reasoning and of tools' parts that arrive within one window; the first chunk after it goes out at once. */
export function coalesce(emit: (event: ReplyEvent) => void, now: () => number = Date.now): Coalescer {
  let buffered: ReplyEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let emittedAt = 0;

  function flush(at = now()): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (buffered.length === 0) return;
    const events = buffered;
    buffered = [];
    emittedAt = at;
    for (const event of events) emit(event);
  }

  function push(event: ReplyEvent): void {
    if (!join(event)) {
      // Parts grow side by side, so one holds back no other; anything else ends what came before it.
      if (event.type !== "tool_part" || buffered.some(({ type }) => type !== "tool_part")) flush();
      buffered.push(event);
    }
    const at = now();
    const wait = JOINABLE_EVENTS.has(event.type) ? emittedAt + windowMs(at) - at : 0;
    if (wait <= 0) flush(at);
    else timer ??= setTimeout(() => flush(), wait + GRACE_MS);
  }

  function join(event: ReplyEvent): boolean {
    for (let index = 0; index < buffered.length; index += 1) {
      const first = buffered[index];
      const joined = first && joinEvents(first, event);
      if (joined) buffered[index] = joined;
      if (joined) return true;
    }
    return false;
  }

  return { push, flush: () => flush() };
}

function windowMs(at: number): number {
  const late = timerLagMs(at);
  return COALESCE_MS + (late > LATE_MS ? Math.min(2 * late, LONGER_MS) : 0);
}

/** Events that more of the same kind can be added to. */
const JOINABLE_EVENTS: ReadonlySet<ReplyEvent["type"]> = new Set(["text", "reasoning", "tool_part"]);

/** Two neighbouring chunks as one event, or null when they are of different kinds. */
export function joinEvents(first: ReplyEvent, second: ReplyEvent): ReplyEvent | null {
  if (first.type === "text" && second.type === "text") return { type: "text", text: first.text + second.text };
  if (first.type === "reasoning" && second.type === "reasoning") {
    return { type: "reasoning", text: first.text + second.text, ms: second.ms };
  }
  if (first.type === "tool_part" && second.type === "tool_part" && first.call_id === second.call_id && first.part.id === second.part.id) {
    return { ...second, text: first.text + second.text };
  }
  return null;
}
