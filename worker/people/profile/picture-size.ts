/** What a picture's header says of it; sides in pixels. */
export type PictureSize = { width: number; height: number };

/** The sides by the header of a PNG, JPEG, WebP or GIF (the type that `imageType` found), of which more bytes may follow; null where it says none. */
export function pictureSize(type: string, bytes: Uint8Array, isComplete = true): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (type === "image/png") return { width: view.getUint32(16), height: view.getUint32(20) };
    if (type === "image/webp") return webpSize(view);
    if (type === "image/gif") return gifSize(view, isComplete);
    return type === "image/jpeg" ? jpegSize(view) : null;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** GIF89a: the screen, which browsers widen to its first frame; where that is yet to come, nothing is known. */
function gifSize(view: DataView, isComplete: boolean): PictureSize | null {
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const frame = firstFrame(view);
  if (frame === null) return isComplete ? screen : null;
  return { width: Math.max(screen.width, frame.width), height: Math.max(screen.height, frame.height) };
}

/** The far corner of the first frame, past the table of colours, extensions, and bytes that decoders pass over too; null where there is none. */
function firstFrame(view: DataView): PictureSize | null {
  const flags = view.byteLength > 10 ? view.getUint8(10) : 0;
  let offset = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (offset + 9 <= view.byteLength) {
    const block = view.getUint8(offset);
    if (block === 0x3b) return null;
    if (block === 0x2c) {
      const at = (place: number) => view.getUint16(offset + place, true);
      return { width: at(1) + at(5), height: at(3) + at(7) };
    }
    offset = block === 0x21 ? afterData(view, offset + 2) : offset + 1;
  }
  return null;
}

/** Where the parts of an extension's data end. */
function afterData(view: DataView, offset: number): number {
  let next = offset;
  while (next < view.byteLength && view.getUint8(next) > 0) next += 1 + view.getUint8(next);
  return next + 1;
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

/** ITU T.81, B.2.2: the frame's header, past whatever stands before it: segments, marks without any, and bytes that decoders pass over too. */
function jpegSize(view: DataView): PictureSize {
  for (let offset = 2; ;) {
    const marker = view.getUint8(offset) === 0xff ? view.getUint8(offset + 1) : 0xff;
    if (marker === 0xff) offset += 1;
    else if (isFrameMarker(marker)) return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    else offset += 2 + (isAlone(marker) ? 0 : view.getUint16(offset + 2));
  }
}

function isAlone(marker: number): boolean {
  return marker <= 1 || (marker >= 0xd0 && marker <= 0xd8);
}

function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
