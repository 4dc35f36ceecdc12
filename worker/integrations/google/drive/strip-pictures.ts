import type { ReadEnd, TextChunk } from "#worker/library/passages/passage.ts";

/** The pictures of a document that Google exports stand in its text as data. */
const PICTURE = /data:image\/[\w.+-]+;base64,[A-Za-z0-9+/=]*/g;

/** A text that Google exports, without its pictures. */
export function withoutPictureData(text: string): string {
  return text.replaceAll(PICTURE, "");
}

/** The chunks of a document that Google exports, without its pictures. */
export async function* withoutPictures(pieces: AsyncGenerator<TextChunk, ReadEnd>): AsyncGenerator<TextChunk, ReadEnd> {
  // One may go over from one piece to the next.
  let isWithin = false;
  for (;;) {
    const next = await pieces.next();
    if (next.done) return next.value;
    const open: string = isWithin ? next.value.text.replace(/^[A-Za-z0-9+/=]*/, "") : next.value.text;
    isWithin = /data:image\/[\w.+-]+;base64,[A-Za-z0-9+/=]*$/.test(open) || (isWithin && open === "");
    yield { ...next.value, text: withoutPictureData(open) };
  }
}
