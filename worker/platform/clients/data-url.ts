/** Bytes encoded at once: a multiple of three, so the chunks join, and few enough for one call's arguments. */
const CHUNK_BYTES = 3 * 8_192;

/** Bytes as a `data:` address of this MIME type. */
export function toDataUrl(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${toBase64(bytes)}`;
}

export function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES) {
    chunks.push(btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK_BYTES))));
  }
  return chunks.join("");
}

/** The bytes of what a base64 `data:` address holds; null for any other address. */
export function dataUrlBytes(url: string): number | null {
  const [head = ""] = /^data:[^,]{0,200};base64,/.exec(url) ?? [];
  return head === "" ? null : ((url.length - head.length) * 3) / 4;
}
