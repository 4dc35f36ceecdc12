/** What a picture's metadata say of where it was taken: EXIF's fields for GPS, XMP's properties of the same names, and texts that hold either. */

const EXIF_HEADER = "Exif\0\0";
/** EXIF, XMP and what surrounds them as text fields of a PNG, which may be compressed or written as digits. */
const TEXT_FIELD = /^(?:Raw profile type [^\0]{1,60}|XML:com\.adobe\.xmp)\0/;
const UNCOMPRESSED_XMP = "XML:com.adobe.xmp\0\0\0";

/** The tag of the directory of GPS fields (EXIF 2.32, 4.6.3). */
const GPS_TAG = 0x8825;
/** Directories of one file, fields of one for GPS, and bytes of a field: far more than cameras write. */
const DIRECTORIES = 8;
const FIELDS = 64;
const FIELD_BYTES = 65_536;
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

/** Blanks it in one block of metadata; true where something was there. */
export function blankPlace(bytes: Uint8Array): boolean {
  const head = latin1(bytes.subarray(0, 100));
  if (head.startsWith(EXIF_HEADER)) return blankExif(bytes.subarray(EXIF_HEADER.length));
  if (head.startsWith("II*\0") || head.startsWith("MM\0*")) return blankExif(bytes);
  if (TEXT_FIELD.test(head) && !head.startsWith(UNCOMPRESSED_XMP)) {
    bytes.fill(0);
    return true;
  }
  return blankXmp(bytes);
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

/** TIFF 6: directories, each with the place of the next. */
function blankExif(tiff: Uint8Array): boolean {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = tiff[0] === 0x49;
  let isFound = false;
  try {
    let directory = view.getUint32(4, isLittle);
    for (let count = 0; directory > 0 && count < DIRECTORIES; count += 1) {
      const fields = view.getUint16(directory, isLittle);
      for (let index = 0; index < fields; index += 1) {
        const at = directory + 2 + 12 * index;
        if (view.getUint16(at, isLittle) !== GPS_TAG) continue;
        blankDirectory(tiff, view.getUint32(at + 8, isLittle), isLittle);
        isFound = true;
        break;
      }
      directory = view.getUint32(directory + 2 + 12 * fields, isLittle);
    }
  } catch (error) {
    // A directory that lies outside of its file is nobody's.
    if (!(error instanceof RangeError)) throw error;
  }
  return isFound;
}

/** Leaves an empty directory, and nothing of what its fields said. */
function blankDirectory(tiff: Uint8Array, from: number, isLittle: boolean): void {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const fields = Math.min(view.getUint16(from, isLittle), FIELDS);
  view.setUint16(from, 0, isLittle);
  for (let index = 0; index < fields; index += 1) {
    const at = from + 2 + 12 * index;
    const bytes = (TYPE_BYTES[view.getUint16(at + 2, isLittle)] ?? 1) * view.getUint32(at + 4, isLittle);
    const value = view.getUint32(at + 8, isLittle);
    if (bytes > 4) tiff.fill(0, value, value + Math.min(bytes, FIELD_BYTES));
    tiff.fill(0, at, at + 12);
  }
}

/** XMP writes each as an attribute or an element: `exif:GPSLatitude="…"`, `<exif:GPSLatitude>…</exif:GPSLatitude>`. */
function blankXmp(bytes: Uint8Array): boolean {
  const text = latin1(bytes);
  let isFound = false;
  for (let at = text.indexOf(":GPS"); at !== -1; at = text.indexOf(":GPS", at)) {
    at += 4;
    while (/[A-Za-z]/.test(text.charAt(at))) at += 1;
    while (/\s/.test(text.charAt(at))) at += 1;
    const isAttribute = text.charAt(at) === "=";
    if (isAttribute)
      do at += 1;
      while (/\s/.test(text.charAt(at)));
    const mark = text.charAt(at);
    const end = isAttribute ? (mark === '"' || mark === "'" ? mark : null) : mark === ">" ? "<" : null;
    if (end === null) continue;
    const until = text.indexOf(end, at + 1);
    bytes.fill(SPACE, at + 1, until === -1 ? bytes.length : until);
    isFound = true;
    if (until === -1) break;
    at = until;
  }
  return isFound;
}

const SPACE = 32;
