/**
 * Reads server-sent events: the `data` of all events that arrived with one read, so that a burst costs little more than
 * one of them. `onLife` hears of every read, also of comments that keep a connection alive.
 */
export async function* readEventData(body: ReadableStream<Uint8Array>, onLife: () => void): AsyncGenerator<string[], void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
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
    }
  } finally {
    // Whoever leaves early lets the connection go; one that broke has nothing to let go.
    await reader.cancel().catch(() => undefined);
  }
}
