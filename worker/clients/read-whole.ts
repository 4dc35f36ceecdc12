/** What is made room for at first where a body's length is not told, in bytes. */
const FIRST_BYTES = 256 * 1024;

/** A body's bytes in one piece of memory, or null as soon as there are more than `limit`; `expected` is the length that was announced, 0 where none was. */
export async function readWhole(
  body: ReadableStream<Uint8Array>,
  { limit, expected }: { limit: number; expected: number },
): Promise<Uint8Array<ArrayBuffer> | null> {
  let bytes = new Uint8Array(Math.min(expected || FIRST_BYTES, limit));
  let size = 0;
  for await (const chunk of body) {
    const next = size + chunk.byteLength;
    if (next > limit) return null;
    if (next > bytes.byteLength) {
      const larger = new Uint8Array(Math.min(Math.max(next, bytes.byteLength * 2), limit));
      larger.set(bytes.subarray(0, size));
      bytes = larger;
    }
    bytes.set(chunk, size);
    size = next;
  }
  return bytes.subarray(0, size);
}
