/** What other services report to us: whoever sends it has proven nothing before its last byte is here. */
import { AppError } from "#worker/platform/errors/app-error.ts";
import { CHUNK_BYTES, readBodyChunks } from "#worker/platform/clients/stream-body.ts";
import { COPIES, tooManyBodies } from "./body-memory.ts";

/** Bytes of reports in memory of one isolate, besides the places of everybody else's bodies: two of the longest, or two hundred that come slowly. */
const REPORTS_BYTES = 12.5 * 1024 * 1024;
/** Milliseconds in which a report has come, or is not waited for. */
export const REPORT_MS = 10_000;

let bufferedBytes = 0;

/**
 * Does something with a report of at most `limit` bytes. What has come of it is counted, not what it announces, so none that trickles keeps
 * others out. Throws RATE_LIMITED where there are too many, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, and UPLOAD_BROKEN where its sender went away.
 */
export async function withReportBody<T>(
  { body }: Request,
  limit: number,
  work: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  let own = 0;
  const hold = (bytes: number) => {
    if (bufferedBytes + bytes > REPORTS_BYTES) throw tooManyBodies();
    bufferedBytes += bytes;
    own += bytes;
  };
  try {
    hold(CHUNK_BYTES);
    return await work(await read(body, limit, hold));
  } finally {
    bufferedBytes -= own;
  }
}

async function read(body: Request["body"], limit: number, hold: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const [late, done] = [new AbortController(), new AbortController()];
  const patience = scheduler.wait(REPORT_MS, { signal: done.signal }).then(() => late.abort());
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of readBodyChunks(body, { signal: late.signal })) {
      size += chunk.byteLength;
      if (size > limit) throw new AppError("PAYLOAD_TOO_LARGE");
      hold(chunk.byteLength * COPIES);
      chunks.push(chunk.slice());
    }
  } catch (cause) {
    if (!late.signal.aborted) throw cause;
  } finally {
    done.abort();
    await patience.catch(() => undefined);
  }
  if (late.signal.aborted) throw new AppError("REQUEST_TIMEOUT");
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
