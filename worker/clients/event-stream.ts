/**
 * Bytes that a read waits for at least, but for the last one. The runtime hands out what it got along with an HTTP chunk's length,
 * up to 28 bytes, by itself: two reads for each piece, each of which enters the isolate anew. No event that says anything is shorter,
 * but for one that only ends the stream.
 */
const LEAST_BYTES = 29;
/** Room for what one read brings; a longer chunk comes with several. */
const BUFFER_BYTES = 8_192;

/**
 * Reads server-sent events: the `data` of all events that arrived with one read, so that a burst costs little more than
 * one of them. `onLife` hears of every read, also of comments that keep a connection alive; once `isEnding`, the shortest event counts.
 */
export async function* readEventData(
  body: ReadableStream<Uint8Array>,
  { onLife, isEnding }: { onLife: () => void; isEnding: () => boolean },
): AsyncGenerator<string[], void, undefined> {
  const reader = body.getReader({ mode: "byob" });
  const decoder = new TextDecoder();
  let buffer: Uint8Array = new Uint8Array(BUFFER_BYTES);
  let rest = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(isEnding() ? 1 : LEAST_BYTES, buffer);
      if (value) {
        onLife();
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        const events: string[] = [];
        for (const ended of lines) {
          const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
          if (line.startsWith("data:")) data.push(line.slice(line.startsWith("data: ") ? 6 : 5));
          else if (line === "" && data.length > 0) {
            events.push(data.join("\n"));
            data = [];
          }
        }
        if (events.length > 0) yield events;
        buffer = new Uint8Array(value.buffer);
      }
      if (done) return;
    }
  } finally {
    // Whoever leaves early lets the connection go; one that broke has nothing to let go.
    await reader.cancel().catch(() => undefined);
  }
}
