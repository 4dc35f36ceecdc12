import type { ReplyEvent } from "#shared/reply-events.ts";

/** At most one event in this many milliseconds: a burst of tokens becomes one frame, and a frame costs more than its text. */
const COALESCE_MS = 60;

export type Coalescer = {
  push(event: ReplyEvent): void;
  /** Emits what is held back, at once. */
  flush(): void;
};

/** Joins pieces of text and of reasoning that arrive within one window; the first piece after a pause goes out at once. */
export function coalesce(emit: (event: ReplyEvent) => void, now: () => number = Date.now): Coalescer {
  let held: ReplyEvent | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let emittedAt = 0;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (!held) return;
    const event = held;
    held = null;
    emittedAt = now();
    emit(event);
  }

  function push(event: ReplyEvent): void {
    const joined = held && joinEvents(held, event);
    if (joined) {
      held = joined;
      return;
    }
    flush();
    held = event;
    const wait = event.type === "text" || event.type === "reasoning" ? emittedAt + COALESCE_MS - now() : 0;
    if (wait <= 0) flush();
    else timer = setTimeout(flush, wait);
  }

  return { push, flush };
}

/** Two neighbouring pieces as one event, or null when they are of different kinds. */
export function joinEvents(first: ReplyEvent, second: ReplyEvent): ReplyEvent | null {
  if (first.type === "text" && second.type === "text") return { type: "text", text: first.text + second.text };
  if (first.type === "reasoning" && second.type === "reasoning") {
    return { type: "reasoning", text: first.text + second.text, ms: second.ms };
  }
  return null;
}
