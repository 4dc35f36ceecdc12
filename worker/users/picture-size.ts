/** What a picture's header says of it; sides in pixels. */
export type PictureSize = { width: number; height: number };

/** The sides by the header of a PNG, JPEG or WebP (the type that `imageType` found); null where it says none. */
export function pictureSize(type: string, bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (type === "image/png") return { width: view.getUint32(16), height: view.getUint32(20) };
    if (type === "image/webp") return webpSize(view);
    return type === "image/jpeg" ? jpegSize(view) : null;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** RFC 9649: a simple file holds one chunk of pixels, an extended one says its size first. */
function webpSize(view: DataView): PictureSize | null {
  switch (view.getUint32(12)) {
    case 0x56503820: // 'VP8 '
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // 'VP8L'
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x56503858: // 'VP8X'
      return { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
    default:
      return null;
  }
}

/** ITU T.81, B.2.2: the frame's header, past whatever segments stand before it. */
function jpegSize(view: DataView): PictureSize | null {
  for (let offset = 2; view.getUint8(offset) === 0xff;) {
    const marker = view.getUint8(offset + 1);
    if (marker === 0xff) offset += 1;
    else if (isFrameMarker(marker)) return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    else offset += 2 + view.getUint16(offset + 2);
  }
  return null;
}

function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
