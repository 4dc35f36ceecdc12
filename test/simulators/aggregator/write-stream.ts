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
export async function pause(ms: number, gone: AbortSignal): Promise<void> {
  if (ms > 0 && !gone.aborted) await setTimeout(ms, undefined, { signal: gone }).catch(() => undefined);
}

/** Writes the steps of an answer at the pace given, and breaks off where a step says so. */
export async function writeStream(options: {
  response: ServerResponse;
  steps: Iterable<Step>;
  pace: Pace;
  fault: StreamFault | null;
  gone: AbortSignal;
}): Promise<void> {
  const { response, steps, pace, fault, gone } = options;
  const write = (text: string) => writePieces(response, text, fault, gone);
  await write(COMMENT);
  for (let waited = 0; waited < pace.firstTokenMs && !gone.aborted; waited += COMMENT_EVERY_MS) {
    if (waited > 0) await write(COMMENT);
    await pause(Math.min(COMMENT_EVERY_MS, pace.firstTokenMs - waited), gone);
  }
  const start = performance.now();
  const interval = pace.tokensPerSecond > 0 ? 1000 / pace.tokensPerSecond : 0;
  let tokens = 0;
  let batch = "";
  for (const step of steps) {
    if (gone.aborted) return;
    if ("breakOff" in step) {
      await write(batch);
      if (step.breakOff === "end") response.end();
      if (step.breakOff === "cut") {
        await pause(CUT_PAUSE_MS, gone);
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
      await pause(wait, gone);
    }
  }
  await write(batch);
  response.end();
}

async function writePieces(response: ServerResponse, text: string, fault: StreamFault | null, gone: AbortSignal): Promise<void> {
  if (text === "") return;
  if (fault === "split-utf8") return writeEach(response, splitInsideCharacters(Buffer.from(text)), SPLIT_PAUSE_MS, gone);
  if (fault === "split-anywhere") return writeEach(response, splitEvery(Buffer.from(text), 5), 0, gone);
  if (fault === "crlf")
    return writeEach(
      response,
      text
        .replaceAll("\n", "\r\n")
        .split(/(?<=\r)/)
        .map((piece) => Buffer.from(piece)),
      0,
      gone,
    );
  await writeEach(response, [Buffer.from(text)], 0, gone);
}

async function writeEach(response: ServerResponse, pieces: readonly Buffer[], pauseMs: number, gone: AbortSignal): Promise<void> {
  for (const piece of pieces) {
    if (gone.aborted) return;
    await writePiece(response, piece, gone);
    if (pauseMs > 0) await pause(pauseMs, gone);
    else if (pieces.length > 1) await setImmediate();
  }
}

/** Resolves when the piece is handed to the system, so a slow reader slows the writing. */
function writePiece(response: ServerResponse, piece: Buffer, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      gone.removeEventListener("abort", finish);
      resolve();
    };
    gone.addEventListener("abort", finish);
    response.write(piece, finish);
  });
}

function splitEvery(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

/** Cuts after the first byte of every character of several bytes. */
function splitInsideCharacters(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  let start = 0;
  for (const [index, byte] of bytes.entries()) {
    if (byte < 0xc0) continue;
    pieces.push(bytes.subarray(start, index + 1));
    start = index + 1;
  }
  pieces.push(bytes.subarray(start));
  return pieces;
}
