/** Bytes that are read chunk by chunk, wherever they lie. */
export type ByteSource = { size: number; read(from: number, length: number): Promise<Uint8Array> };

export function fromBytes(bytes: Uint8Array): ByteSource {
  return { size: bytes.byteLength, read: async (from, length) => bytes.subarray(from, from + length) };
}

/** Bytes of a stored object, fetched by range. */
export function fromObject(files: R2Bucket, { key, size }: { key: string; size: number }): ByteSource {
  return {
    size,
    async read(from, length) {
      const part = Math.min(length, size - from);
      if (part <= 0) return new Uint8Array();
      const object = await files.get(key, { range: { offset: from, length: part } });
      if (!object) throw new Error("The stored file is gone.");
      return new Uint8Array(await object.arrayBuffer());
    },
  };
}
