/** A streamed completion on its way through: passed on as it comes, and read for what it costs. */
import { Chunk } from "../clients/chunk-shape.ts";
import { chunkReader, type CompletionEvent } from "../clients/completion-chunks.ts";
import { readEventData } from "../clients/event-stream.ts";

/** Milliseconds without an event after which a comment keeps the connection from being taken for dead. */
const QUIET_MS = 10_000;
/** No answer is longer than so many bytes on the wire. */
const ANSWER_BYTES = 32 * 1024 * 1024;

type Relay = {
  from: ReadableStream<Uint8Array>;
  to: WritableStream<Uint8Array>;
  /** Whether the program asked for the usage at the end. */
  hasUsage: boolean;
  /** Hears of every read. */
  onLife: () => void;
  onEvent: (event: CompletionEvent) => void;
  /** A failure in mid-stream as the data of its last event. */
  describe: (error: unknown) => string;
};

/** Passes a stream's events on until it ends; resolves also where it broke, which its reader is told. Rejects where the reader left. */
export async function relayStream({ from, to, hasUsage, onLife, onEvent, describe }: Relay): Promise<void> {
  const writer = to.getWriter();
  const encoder = new TextEncoder();
  const chunks = chunkReader(onEvent);
  let writtenAt = Date.now();
  let bytes = 0;
  let left: unknown = null;

  function write(text: string): void {
    const encoded = encoder.encode(text);
    bytes += encoded.byteLength;
    writtenAt = Date.now();
    writer.write(encoded).catch((error: unknown) => (left ??= error ?? new Error("The reader left.")));
  }

  const timer = setInterval(() => {
    if (Date.now() - writtenAt >= QUIET_MS) write(": waiting\n\n");
  }, QUIET_MS);
  try {
    await readEventData(from, {
      onLife,
      onData(events) {
        if (left !== null || bytes > ANSWER_BYTES) return "no more";
        const state = chunks.read(events);
        const told = events.filter((data) => hasUsage || !isUsageAlone(data));
        if (told.length > 0) write(told.map((data) => `data: ${data}\n\n`).join(""));
        return state;
      },
    });
    chunks.end();
  } catch (error) {
    if (left === null) write(`data: ${describe(error)}\n\ndata: [DONE]\n\n`);
  } finally {
    clearInterval(timer);
  }
  if (left !== null) throw left;
  await writer.close();
}

/** Whether an event is the one that only tells the usage, which not every program expects. */
function isUsageAlone(data: string): boolean {
  if (!data.includes('"usage"')) return false;
  try {
    const { data: chunk } = Chunk.safeParse(JSON.parse(data));
    return chunk?.usage != null && !chunk.choices?.length;
  } catch {
    return false;
  }
}
