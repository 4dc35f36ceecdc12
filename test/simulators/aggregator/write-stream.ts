import type { ServerResponse } from "node:http";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { StreamFault } from "./faults.ts";
import type { Step } from "./frames.ts";

/** Tokens a second (0: as fast as the reader takes them) and milliseconds before the first. */
export type Pace = { tokensPerSecond: number; firstTokenMs: number };

const COMMENT = ": OPENROUTER PROCESSING\n\n";
const COMMENT_EVERY_MS = 1000;
const FLUSH_CHARACTERS = 16_384;
/** Long enough for a reader to see the halves of a split character apart. */
const SPLIT_PAUSE_MS = 3;

/** Long enough for a reader to have taken the text before the connection breaks. */
const CUT_PAUSE_MS = 50;

/** Waits, or less when the caller leaves. */
export async function pause(ms: number, disconnected: AbortSignal): Promise<void> {
  if (ms > 0 && !disconnected.aborted) await setTimeout(ms, undefined, { signal: disconnected }).catch(() => undefined);
}

/** Writes the steps of an answer at the pace given, and breaks off where a step says so. */
export async function writeStream(options: {
  response: ServerResponse;
  steps: Iterable<Step>;
  pace: Pace;
  fault: StreamFault | null;
  disconnected: AbortSignal;
}): Promise<void> {
  const { response, steps, pace, fault, disconnected } = options;
  const write = (text: string) => writeWithFault(response, text, fault, disconnected);
  await write(COMMENT);
  for (let waited = 0; waited < pace.firstTokenMs && !disconnected.aborted; waited += COMMENT_EVERY_MS) {
    if (waited > 0) await write(COMMENT);
    await pause(Math.min(COMMENT_EVERY_MS, pace.firstTokenMs - waited), disconnected);
  }
  const start = performance.now();
  const interval = pace.tokensPerSecond > 0 ? 1000 / pace.tokensPerSecond : 0;
  let tokens = 0;
  let batch = "";
  for (const step of steps) {
    if (disconnected.aborted) return;
    if ("breakOff" in step) {
      await write(batch);
      if (step.breakOff === "end") response.end();
      if (step.breakOff === "cut") {
        await pause(CUT_PAUSE_MS, disconnected);
        response.socket?.destroy();
      }
      return;
    }
    batch += step.text;
    if (step.paced) tokens += 1;
    const wait = start + tokens * interval - performance.now();
    if (wait > 0 || batch.length > FLUSH_CHARACTERS) {
      await write(batch);
      batch = "";
      await pause(wait, disconnected);
    }
  }
  await write(batch);
  response.end();
}

async function writeWithFault(response: ServerResponse, text: string, fault: StreamFault | null, disconnected: AbortSignal): Promise<void> {
  if (text === "") return;
  if (fault === "split-utf8") return writeEach(response, splitInsideCharacters(Buffer.from(text)), SPLIT_PAUSE_MS, disconnected);
  if (fault === "split-anywhere") return writeEach(response, splitEvery(Buffer.from(text), 5), 0, disconnected);
  if (fault === "crlf")
    return writeEach(
      response,
      text
        .replaceAll("\n", "\r\n")
        .split(/(?<=\r)/)
        .map((chunk) => Buffer.from(chunk)),
      0,
      disconnected,
    );
  await writeEach(response, [Buffer.from(text)], 0, disconnected);
}

async function writeEach(response: ServerResponse, chunks: readonly Buffer[], pauseMs: number, disconnected: AbortSignal): Promise<void> {
  for (const chunk of chunks) {
    if (disconnected.aborted) return;
    await writeChunk(response, chunk, disconnected);
    if (pauseMs > 0) await pause(pauseMs, disconnected);
    else if (chunks.length > 1) await setImmediate();
  }
}

/** Resolves when the chunk is handed to the system, so a slow reader slows the writing. */
function writeChunk(response: ServerResponse, chunk: Buffer, disconnected: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      disconnected.removeEventListener("abort", finish);
      resolve();
    };
    disconnected.addEventListener("abort", finish);
    response.write(chunk, finish);
  });
}

function splitEvery(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/** Cuts after the first byte of every character of several bytes. */
function splitInsideCharacters(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0xc0) continue;
    chunks.push(bytes.subarray(start, index + 1));
    start = index + 1;
  }
  chunks.push(bytes.subarray(start));
  return chunks;
}
