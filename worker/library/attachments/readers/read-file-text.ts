import { type FileFormat, formatBytes } from "#shared/attachment-rules.ts";
import { log } from "#worker/platform/log.ts";
import type { ByteSource } from "./byte-source.ts";
import { decodeText } from "./decode-text.ts";
import { extractDocx } from "./extract-docx.ts";
import { extractPdf } from "./extract-pdf.ts";
import { extractXlsx } from "./extract-xlsx.ts";
import { type Extraction, EXTRACTION_BYTES, TEXT_LENGTH, toExtraction } from "./extraction.ts";
import type { Assets } from "./pdf-file.ts";
import { PdfFileMissing } from "./pdf-files.ts";
import { contentOf } from "#worker/library/attachments/sniff-format.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

/** Bytes at the beginning that say what a file is. */
const HEAD_BYTES = 4_096;

/** The text in a file, or why there is none; nothing that a file holds makes it throw. Throws PdfFileMissing, after which it may be read again. */
export async function readFileText(format: FileFormat, source: ByteSource, assets: Assets): Promise<Extraction> {
  try {
    return await extract(format, source, assets);
  } catch (cause) {
    if (cause instanceof PdfFileMissing) throw cause;
    log.warn("a file could not be read", { format, cause });
    return { ok: false, reason: "This file could not be read." };
  }
}

async function extract(format: FileFormat, source: ByteSource, assets: Assets): Promise<Extraction> {
  switch (format) {
    case "text":
    case "markdown":
    case "json":
    case "csv":
      return readPlain(source);
    case "pdf":
      return source.size > EXTRACTION_BYTES ? tooLarge() : extractPdf(source, assets);
    case "xlsx":
      return contentOf(await source.read(0, HEAD_BYTES)) === "compound" ? readOld(source) : extractXlsx(source);
    case "doc":
    case "docx":
      return readWord(source);
    case "xls":
      return readOld(source);
    case "jpeg":
    case "png":
    case "gif":
    case "webp":
      return { ok: false, reason: "A picture has no text." };
  }
}

async function readPlain(source: ByteSource): Promise<Extraction> {
  // A byte for each character: scripts that take more bytes take more tokens too.
  const bytes = await source.read(0, TEXT_LENGTH);
  return toExtraction(decodeText(bytes), { isComplete: bytes.byteLength === source.size, reason: "This file is empty." });
}

/** A Word file by what it is: what is called .doc is often a .docx, or text. */
async function readWord(source: ByteSource): Promise<Extraction> {
  switch (contentOf(await source.read(0, HEAD_BYTES))) {
    case "zip":
      return extractDocx(source);
    case "compound":
      return readOld(source);
    case "text":
      return readPlain(source);
    default:
      return { ok: false, reason: "This is no Word document that can be read." };
  }
}

const oldOffice = loadOnce(() => import("./extract-old-office.ts"));

async function readOld(source: ByteSource): Promise<Extraction> {
  const { extractOldOffice, isProtected, PROTECTED } = await oldOffice();
  if (source.size > EXTRACTION_BYTES) return (await isProtected(source)) ? PROTECTED : tooLarge();
  return extractOldOffice(await source.read(0, source.size));
}

function tooLarge(): Extraction {
  return { ok: false, reason: `Files of this type are read up to ${formatBytes(EXTRACTION_BYTES)}.` };
}
