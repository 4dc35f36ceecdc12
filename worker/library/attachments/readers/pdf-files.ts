import { type Assets, fetchPdfFile } from "./pdf-file.ts";

/** How long one file may take: it comes from the same machine, or from one beside it. */
const PATIENCE_MS = 5_000;
const KINDS: Record<string, string> = { cMapUrl: "cmaps", standardFontDataUrl: "standard_fonts" };

/** Thrown where a file of PDF.js could not be fetched: asked again, it may be there. */
export class PdfFileMissing extends Error {}

/** What PDF.js asks for while it reads one PDF. */
type PdfFiles = {
  /** The options of `getDocument` for that; nothing comes after `over`. */
  options: (over: AbortSignal) => { cMapUrl: string; standardFontDataUrl: string; BinaryDataFactory: object };
  missing: () => PdfFileMissing | null;
};

/**
 * The tables of characters (CMaps) and the fonts that a PDF may name without holding them, as most in Chinese, Japanese and
 * Korean do. They are static files, put beside the web application by scripts/lib/build/pdf-assets.ts and fetched when asked for.
 */
export function pdfFiles(assets: Assets, version: string): PdfFiles {
  const folder = `/assets/pdfjs-${version}`;
  let missing: PdfFileMissing | null = null;

  async function fetchFile(path: string, over: AbortSignal): Promise<Uint8Array> {
    try {
      return await fetchPdfFile(assets, path, AbortSignal.any([over, AbortSignal.timeout(PATIENCE_MS)]));
    } catch (cause) {
      if (!over.aborted) missing ??= new PdfFileMissing(`${path} could not be fetched`, { cause });
      throw cause;
    }
  }

  return {
    options: (over) => {
      // PDF.js must learn at once that a reading is over: what it did in a later task would be done without limits (pdf-meter.ts).
      const { promise: isOver, reject } = Promise.withResolvers<never>();
      isOver.catch(() => undefined);
      over.addEventListener("abort", () => reject(over.reason));
      return {
        cMapUrl: `${folder}/cmaps/`,
        standardFontDataUrl: `${folder}/standard_fonts/`,
        BinaryDataFactory: class {
          readonly fetch = async ({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> => {
            const place = KINDS[kind];
            over.throwIfAborted();
            if (place === undefined) throw new Error(`There are no files for ${kind}.`);
            return Promise.race([fetchFile(`${folder}/${place}/${filename}`, over), isOver]);
          };
        },
      };
    },
    missing: () => missing,
  };
}
