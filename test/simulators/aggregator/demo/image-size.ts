/** What an image's first bytes say. Sizes are pixels. */
export type ImageSize = { type: "PNG" | "JPEG" | "GIF" | "WebP"; width: number; height: number };

/** Reads the pixel size out of a PNG, GIF, JPEG or WebP header; null for anything else. */
export function readImageSize(bytes: Buffer): ImageSize | null {
  if (bytes.length >= 24 && bytes.subarray(1, 4).toString("latin1") === "PNG") {
    return { type: "PNG", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length >= 10 && bytes.subarray(0, 3).toString("latin1") === "GIF") {
    return { type: "GIF", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  if (bytes.length >= 30 && bytes.subarray(8, 12).toString("latin1") === "WEBP") return readWebp(bytes);
  if (bytes.length >= 4 && bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes);
  return null;
}

function readWebp(bytes: Buffer): ImageSize | null {
  const chunk = bytes.subarray(12, 16).toString("latin1");
  if (chunk === "VP8 ") return { type: "WebP", width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (chunk === "VP8X") return { type: "WebP", width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk !== "VP8L") return null;
  const bits = bytes.readUInt32LE(21);
  return { type: "WebP", width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function readJpeg(bytes: Buffer): ImageSize | null {
  let offset = 2;
  while (offset + 9 < bytes.length && bytes[offset] === 0xff) {
    const marker = bytes[offset + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { type: "JPEG", width: bytes.readUInt16BE(offset + 7), height: bytes.readUInt16BE(offset + 5) };
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return null;
}

/** The bytes and type of a `data:` URL in base64; null for any other URL. */
export function decodeDataUrl(url: string): { type: string; bytes: Buffer } | null {
  const match = /^data:([^;,]*)(?:;[^;,]+)*;base64,/.exec(url);
  if (!match) return null;
  return { type: match[1] ?? "", bytes: Buffer.from(url.slice(match[0].length), "base64") };
}
