/** A stored segment of a ZIP has so many bytes at most: what a step holds in memory of what it writes. */
export const SEGMENT_BYTES = 8 * 1024 * 1024;

/** The last part of a stored object's key, and its bytes. */
export type Segment = [name: string, size: number];

/** Where a step's bytes go: into stored objects of a bounded size, one after the other. */
export type SegmentWriter = {
  write(bytes: Uint8Array): Promise<void>;
  /** Stores what is left, and names all segments in their order. */
  finish(): Promise<Segment[]>;
  /** Bytes that were written. */
  size(): number;
};

/** Writes bytes into objects whose names begin with `name`; no more than one of them is held in memory. */
export function segmentWriter(store: (name: string, bytes: Uint8Array) => Promise<void>, name: string): SegmentWriter {
  const segments: Segment[] = [];
  let buffer: Uint8Array | null = null;
  let filled = 0;
  let size = 0;
  const flush = async () => {
    if (buffer === null || filled === 0) return;
    const segment = `${name}-${segments.length}`;
    await store(segment, buffer.subarray(0, filled));
    segments.push([segment, filled]);
    filled = 0;
  };
  return {
    async write(bytes) {
      buffer ??= new Uint8Array(SEGMENT_BYTES);
      size += bytes.length;
      for (let at = 0; at < bytes.length;) {
        const part = bytes.subarray(at, at + SEGMENT_BYTES - filled);
        buffer.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled === SEGMENT_BYTES) await flush();
      }
    },
    async finish() {
      await flush();
      return segments;
    },
    size: () => size,
  };
}
