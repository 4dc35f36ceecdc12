import { crc32 } from "#worker/platform/crc32.ts";
import { joinBytes } from "#worker/platform/join-bytes.ts";

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

/** A GIF whose screen is one pixel: two colours, a comment, then a first frame of these sides and its end. */
export function gif(width: number, height: number): Uint8Array<ArrayBuffer> {
  const screen = [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
  const comment = [0x21, 0xfe, 2, 0x2c, 0x2c, 1, 0x2c, 0];
  const sides = [width & 255, width >> 8, height & 255, height >> 8];
  return Uint8Array.from([...ascii("GIF89a"), ...screen, ...comment, 0x2c, 0, 0, 0, 0, ...sides, 0]);
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

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** What a camera writes of a picture (EXIF): which way up it is, and where it was taken. */
function exif(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(112);
  const view = new DataView(bytes.buffer);
  bytes.set(ascii("MM\0*"));
  view.setUint32(4, 8);
  const field = (at: number, [tag, type, count, value]: [number, number, number, number]) => {
    view.setUint16(at, tag);
    view.setUint16(at + 2, type);
    view.setUint32(at + 4, count);
    view.setUint32(at + 8, value);
  };
  view.setUint16(8, 2);
  field(10, [0x0112, 3, 1, 6 << 16]);
  field(22, [0x8825, 4, 1, 38]);
  view.setUint16(38, 2);
  field(40, [1, 2, 2, 0x4e000000]);
  field(52, [2, 5, 3, 80]);
  for (const [index, value] of [0x44454741, 0x44454742, 0x44454743].entries()) view.setUint32(80 + 8 * index, value);
  return bytes;
}

const XMP = '<x exif:GPSLatitude="DEG,1N" tiff:Orientation="6"><exif:GPSLongitude>DEG,2E</exif:GPSLongitude></x>';

function segment(payload: Uint8Array): Uint8Array<ArrayBuffer> {
  return joinBytes([Uint8Array.of(0xff, 0xe1, (payload.length + 2) >> 8, (payload.length + 2) & 255), payload]);
}

function chunk(type: string, data: Uint8Array, isPng: boolean): Uint8Array<ArrayBuffer> {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, data.length, !isPng);
  if (!isPng) return joinBytes([ascii(type), length, data, new Uint8Array(data.length % 2)]);
  const check = new Uint8Array(4);
  new DataView(check.buffer).setUint32(0, crc32(data, crc32(ascii(type), 0)));
  return joinBytes([length, ascii(type), data, check]);
}

/** A photo that says where it was taken, in each way of its format; `before` bytes stand before what says so, where that may come late. */
export function photo(format: "jpeg" | "png" | "webp", before = 100): Uint8Array<ArrayBuffer> {
  if (format === "jpeg") {
    const [head, frame] = [jpeg(40, 30).subarray(0, 2), jpeg(40, 30).subarray(2)];
    const metadata = [joinBytes([ascii("Exif\0\0"), exif()]), ascii(`http://ns.adobe.com/xap/1.0/\0${XMP}`)];
    return joinBytes([head, ...metadata.map(segment), frame]);
  }
  const pixels = new Uint8Array(before).fill(7);
  if (format === "webp") {
    const size = webp("VP8X", 40, 30).subarray(20, 30);
    const chunks = [
      chunk("VP8X", size, false),
      chunk("VP8 ", pixels, false),
      chunk("EXIF", exif(), false),
      chunk("XMP ", ascii(XMP), false),
    ];
    const body = joinBytes([ascii("WEBP"), ...chunks]);
    return chunk("RIFF", body, false);
  }
  const chunks: [string, Uint8Array][] = [
    ["IDAT", pixels],
    ["eXIf", exif()],
    ["iTXt", joinBytes([ascii("XML:com.adobe.xmp\0\0\0\0\0"), ascii(XMP)])],
    ["zTXt", ascii("Raw profile type exif\0\0DEG")],
    ["tEXt", ascii("Title\0By the sea")],
    ["IEND", new Uint8Array()],
  ];
  const header = png(40, 30).subarray(16, 29);
  return joinBytes([png(1, 1).subarray(0, 8), chunk("IHDR", header, true), ...chunks.map(([type, data]) => chunk(type, data, true))]);
}
