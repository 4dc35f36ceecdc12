import { yieldIfDue } from "./yield-to-loop.ts";

/**
 * Bytes that a read waits for at least once the answer has begun, but for its end: before, a comment of any length shows that somebody is
 * at work. The runtime hands out what it got along with an HTTP chunk's length,
 * up to 28 bytes, by itself: two reads for each chunk, and each enters the isolate again. No event that says anything is shorter,
 * but for one that only ends the stream.
 */
const LEAST_BYTES = 29;
/** Room for what one read brings, a longer chunk comes with several: each read counts as this much new memory, which garbage collection hurries after. */
const BUFFER_BYTES = 1_024;

/** What a reader of a stream gets, and what it answers: `no more` ends the reading, and from `ending` on the shortest event counts. */
export type EventReader = {
  /** Hears of every read, also of comments that keep a connection alive. */
  onLife(): void;
  /** The `data` of all events that arrived with one read, so a burst costs little more than one of them. */
  onData(events: string[]): "going on" | "ending" | "no more";
};

/** Reads server-sent events to their end. It calls back, as each generator between the stream and its readers costs a turn of microtasks a chunk. */
export async function readEventData(body: ReadableStream<Uint8Array>, { onLife, onData }: EventReader): Promise<void> {
  const reader = body.getReader({ mode: "byob" });
  const decoder = new TextDecoder();
  let buffer: Uint8Array = new Uint8Array(BUFFER_BYTES);
  let rest = "";
  let data: string[] = [];
  let least = 1;

  function read(lines: string[]): string[] {
    const events: string[] = [];
    for (const ended of lines) {
      const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
      if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
      else if (line === "" && data.length > 0) {
        events.push(data.join("\n"));
        data = [];
      }
    }
    return events;
  }

  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(least, buffer);
      if (value) {
        onLife();
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        const events = read(lines);
        const state = events.length > 0 ? onData(events) : "going on";
        if (state === "no more") return;
        if (events.length > 0) least = state === "ending" ? 1 : LEAST_BYTES;
        buffer = new Uint8Array(value.buffer);
        const turn = yieldIfDue(Date.now());
        if (turn) await turn;
      }
      if (done) break;
    }
    // Some servers leave out the empty line behind their last event.
    const events = read([rest + decoder.decode(), ""]);
    if (events.length > 0) onData(events);
  } finally {
    // Whoever leaves early lets the connection go; one that broke has nothing to let go.
    await reader.cancel().catch(() => undefined);
  }
}
