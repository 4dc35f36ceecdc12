/** What pictures, files and recordings are taken for in characters where they go to a model as they are: their tokens do not go by their length. */

/** A picture is taken for 1,500 tokens, and a large one for as much as models read of it at most, which is about 5,000. */
const PICTURE = { least: 6_000, most: 20_000, bytesPerCharacter: 50 };
/** Models get each page of a PDF as its text and as a picture. */
const PAGE = 6_000;
/** The text of a page that nobody has read. */
const PAGE_TEXT = 3_000;
/** A PDF whose pages nobody has counted has one in so many bytes, and any PDF in so many at least. */
const BYTES_PER_PAGE = 10_000;
const MOST_BYTES_PER_PAGE = 500_000;
/** A second of speech takes no fewer bytes, packed and as it is, and is no more than 32 tokens. */
const BYTES_PER_SECOND = { packed: 1_000, raw: 8_000 };
const SECOND = 128;

/** A picture of so many bytes, null where nobody knows. */
export function pictureLength(bytes: number | null): number {
  return bytes === null ? PICTURE.most : Math.min(Math.max(bytes / PICTURE.bytesPerCharacter, PICTURE.least), PICTURE.most);
}

type Pdf = { size: number; characters: number; pages?: number | null | undefined };

/** A PDF by its pages and the text read of them, where these are known, else by its bytes. */
export function pdfLength({ size, characters, pages = null }: Pdf): number {
  const count = pages === null ? size / BYTES_PER_PAGE : Math.max(pages, size / MOST_BYTES_PER_PAGE);
  const text = characters > 0 || pages !== null ? characters : Math.ceil(count) * PAGE_TEXT;
  return Math.ceil(count) * PAGE + text;
}

/** A recording or film of so many bytes, by the longest that it can be. */
export function recordingLength(bytes: number, isRaw: boolean): number {
  return (bytes / (isRaw ? BYTES_PER_SECOND.raw : BYTES_PER_SECOND.packed)) * SECOND;
}
