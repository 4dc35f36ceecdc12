/** Bytes encoded at once: a multiple of three, so the pieces join, and few enough for one call's arguments. */
const PIECE_BYTES = 3 * 8_192;

/** Bytes as a `data:` address of this MIME type. */
export function toDataUrl(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${toBase64(bytes)}`;
}

/** Bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES))));
  }
  return pieces.join("");
}

/** The bytes of what a base64 `data:` address holds; null for any other address. */
export function dataUrlBytes(url: string): number | null {
  const [head = ""] = /^data:[^,]{0,200};base64,/.exec(url) ?? [];
  return head === "" ? null : ((url.length - head.length) * 3) / 4;
}
