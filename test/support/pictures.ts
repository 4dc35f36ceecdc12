/** The least header that says a PNG of these sides; nothing reads further. */
export function png(width: number, height: number, more = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(33 + more);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

/** A JPEG's header: a comment, fill bytes, then the frame. */
export function jpeg(width: number, height: number): Uint8Array<ArrayBuffer> {
  const sides = [height >> 8, height & 255, width >> 8, width & 255];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xfe, 0, 5, 1, 2, 3, 0xff, 0xff, 0xc2, 0, 17, 8, ...sides, 3]);
}

/** A WebP's header in one of its three kinds. */
export function webp(kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(40);
  bytes.set(new TextEncoder().encode("RIFF"));
  bytes.set(new TextEncoder().encode(`WEBP${kind}`), 8);
  const view = new DataView(bytes.buffer);
  if (kind === "VP8 ") {
    view.setUint16(26, width, true);
    view.setUint16(28, height, true);
  } else if (kind === "VP8L") view.setUint32(21, (width - 1) | ((height - 1) << 14), true);
  else {
    view.setUint32(24, width - 1, true);
    bytes.set([(height - 1) & 255, (height - 1) >> 8, (height - 1) >> 16], 27);
  }
  return bytes;
}
