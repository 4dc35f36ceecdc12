export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const chunk of pieces) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}
