/** What is made room for at first, in bytes: a length that was announced is only believed of who has sent so much. */
const FIRST_BYTES = 1024 * 1024;

/**
 * A body's bytes in one piece of memory, where nothing but they has been, or null as soon as there are more than `limit`; `expected` is
 * the length that was announced, 0 where none was. `isTooMuch` looks at each part as it comes and ends the reading likewise. Whoever is
 * done with the bytes lets go of them by `release`.
 */
export async function readAllBytes(
  body: ReadableStream<Uint8Array>,
  { limit, expected, isTooMuch }: { limit: number; expected: number; isTooMuch?: (part: Uint8Array) => boolean },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = body.getReader({ mode: "byob" });
  // With room for one more, which shows that there are more.
  let bytes = new Uint8Array(Math.min(expected || FIRST_BYTES, FIRST_BYTES, limit) + 1);
  let size = 0;
  try {
    for (;;) {
      const { value } = await reader.readAtLeast(bytes.byteLength - size, bytes.subarray(size));
      if (!value) return new Uint8Array();
      if (isTooMuch?.(value)) return null;
      size += value.byteLength;
      bytes = new Uint8Array(value.buffer);
      if (size < bytes.byteLength) return bytes.subarray(0, size);
      if (size > limit) return null;
      bytes = new Uint8Array(bytes.buffer.transfer(Math.min(Math.max(size * 2, expected), limit) + 1));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Gives memory back at once: what is large would otherwise stay until something else asks for room. */
export function release({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0);
}
