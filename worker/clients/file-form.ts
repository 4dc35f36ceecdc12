/** Bytes that go out at a time: no more of a form is in memory twice. */
const PIECE_BYTES = 256 * 1024;

type Fields = Record<string, string>;
type FormFile = { name: string; fileName: string; type: string; bytes: Uint8Array<ArrayBuffer> };

/** A form with one file (RFC 7578) as a stream, as `FormData` would copy the file twice; the names and values are our own, without quotes or breaks. */
export function fileForm(fields: Fields, { name, fileName, type, bytes }: FormFile): { body: ReadableStream; type: string } {
  const boundary = `form-${crypto.randomUUID()}`;
  const encoder = new TextEncoder();
  const texts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n`;
  const head = encoder.encode(texts.join("") + file);
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  let at = -1;
  const pieces = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < 0) controller.enqueue(head);
      else if (at < bytes.byteLength) controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
      else {
        controller.enqueue(tail);
        controller.close();
      }
      at = at < 0 ? 0 : at + PIECE_BYTES;
    },
  });
  // With a stated length, which services want; where it breaks off, the request it belongs to says so.
  const { readable: body, writable } = new FixedLengthStream(head.byteLength + bytes.byteLength + tail.byteLength);
  pieces.pipeTo(writable).catch(() => undefined);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
