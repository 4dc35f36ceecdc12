/** A streamed completion on its way through: passed on as it comes, and read for what it costs. */
import { AggregatorError } from "../clients/aggregator-errors.ts";
import { Chunk } from "../clients/chunk-shape.ts";
import { chunkReader, type CompletionEvent } from "../clients/completion-chunks.ts";
import { readEventData } from "../clients/event-stream.ts";

/** Milliseconds without an event after which a comment keeps the connection from being taken for dead. */
const QUIET_MS = 10_000;
/** No answer is longer than so many bytes on the wire. */
const ANSWER_BYTES = 32 * 1024 * 1024;
/** A reader who is so many bytes behind does not read. */
const BEHIND_BYTES = 4 * 1024 * 1024;

type Relay = {
  from: ReadableStream<Uint8Array>;
  to: WritableStream<Uint8Array>;
  /** Whether the program asked for the usage at the end. */
  hasUsage: boolean;
  /** Hears of every read. */
  onLife: () => void;
  /** The reader is gone: nothing more needs to come. */
  onLeft: () => void;
  onEvent: (event: CompletionEvent) => void;
  /** A failure in mid-stream as the data of its last event. */
  describe: (error: unknown) => string;
};

/** Passes a stream's events on until it ends; resolves also where it broke, which its reader learns. Rejects where the reader left. */
export async function relayStream({ from, to, hasUsage, onLife, onLeft, onEvent, describe }: Relay): Promise<void> {
  const writer = to.getWriter();
  const encoder = new TextEncoder();
  const chunks = chunkReader(onEvent);
  let writtenAt = Date.now();
  let bytes = 0;
  let behind = 0;
  let left: Error | null = null;

  function leave(cause: unknown): void {
    left ??= new Error("The reader left.", { cause });
    onLeft();
  }

  function write(text: string): void {
    const { byteLength } = encoder.encode(text);
    bytes += byteLength;
    behind += byteLength;
    writtenAt = Date.now();
    writer.write(encoder.encode(text)).then(() => (behind -= byteLength), leave);
    if (behind > BEHIND_BYTES) leave(new Error("The reader does not read."));
  }

  writer.closed.catch(leave);
  const timer = setInterval(() => {
    if (Date.now() - writtenAt >= QUIET_MS) write(": waiting\n\n");
  }, QUIET_MS);
  try {
    await readEventData(from, {
      onLife,
      onData(events) {
        if (left !== null) return "no more";
        const state = chunks.read(events);
        const passed = events.filter((data) => hasUsage || !isUsageAlone(data));
        if (passed.length > 0) write(passed.map((data) => `data: ${data}\n\n`).join(""));
        if (bytes > ANSWER_BYTES) throw new AggregatorError({ kind: "endless" });
        return state;
      },
    });
    chunks.end();
  } catch (error) {
    if (left === null) write(`data: ${describe(error)}\n\ndata: [DONE]\n\n`);
  } finally {
    clearInterval(timer);
  }
  if (left === null) return writer.close();
  await writer.abort(left).catch(() => undefined);
  throw left;
}

/** Whether an event is the one that only holds the usage, which not every program expects. */
function isUsageAlone(data: string): boolean {
  if (!data.includes('"usage"')) return false;
  try {
    const { data: chunk } = Chunk.safeParse(JSON.parse(data));
    return chunk?.usage != null && !chunk.choices?.length;
  } catch {
    return false;
  }
}
