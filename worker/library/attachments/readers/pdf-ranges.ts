import type { ByteSource } from "./byte-source.ts";
import { claim } from "./pdf-meter.ts";
import type { PDFDataRangeTransport } from "./pdfjs.ts";

/** How PDF.js gets what it asks for of a large file, one range after the other; `failed` ends with what could not be read. */
export type PdfRanges = { transport: PDFDataRangeTransport; failed: Promise<never> };

/** Serves the ranges of a file to PDF.js; what all of them take together counts as arrays do. Nothing comes after `over`. */
export function serveRanges(source: ByteSource, transport: PDFDataRangeTransport, over: AbortSignal): PdfRanges {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => undefined);
  let last = Promise.resolve();
  async function serve(begin: number, end: number): Promise<void> {
    if (over.aborted) return;
    try {
      const bytes = await source.read(begin, claim(end - begin));
      if (!over.aborted) transport.onDataRange(begin, bytes);
    } catch (cause) {
      reject(cause);
    }
  }
  transport.requestDataRange = (begin: number, end: number) => {
    last = last.then(() => serve(begin, end));
  };
  return { transport, failed };
}
