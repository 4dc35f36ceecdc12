import type { MiddlewareHandler } from "hono";
import type { AppContext } from "#worker/platform/env.ts";

/** A longer body is not worth waiting for: its connection is closed instead. */
const SMALL_BYTES = 64 * 1024;
/** Milliseconds after which a body that does not come keeps nobody waiting. */
const PATIENCE_MS = 1_000;

/**
 * Reads a small body that nothing behind it read, as of a request that was refused, to its end before the answer goes out. The
 * runtime would close the connection with the rest unread, and whatever the client sends next on it would meet a reset.
 */
export const readUnreadBody: MiddlewareHandler<AppContext> = async (c, next) => {
  await next();
  const { body, bodyUsed, headers } = c.req.raw;
  if (body === null || bodyUsed || body.locked || Number(headers.get("content-length") ?? 0) > SMALL_BYTES) return;
  const reader = body.getReader();
  const done = new AbortController();
  const late = scheduler.wait(PATIENCE_MS, { signal: done.signal }).then(() => reader.cancel());
  try {
    for (let size = 0; size <= SMALL_BYTES;) {
      const { value } = await reader.read();
      if (!value) return;
      size += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // Whoever sent it is gone, and its connection with it.
  } finally {
    done.abort();
    await late.catch(() => undefined);
  }
};
