import type { ByteSource } from "./byte-source.ts";
import { HEADER_BYTES, openCompound } from "./compound-file.ts";
import { readRootNames } from "./compound-names.ts";
import { extractDoc } from "./extract-doc.ts";
import { extractXls } from "./extract-xls.ts";
import type { Extraction } from "./extraction.ts";
import { contentOf } from "#worker/library/attachments/sniff-format.ts";

/** What Office wraps a newer file in when it has a password. */
const WRAPPED = "EncryptedPackage";

/** The answer to a file that only its password opens. */
export const PROTECTED: Extraction = { ok: false, reason: "This file is protected by a password." };

/** True for a newer file that has a password, however large it is. */
export async function isProtected(source: ByteSource): Promise<boolean> {
  return contentOf(await source.read(0, HEADER_BYTES)) === "compound" && (await readRootNames(source)).has(WRAPPED.toUpperCase());
}

/** The text of a Word or Excel file as they were before 2007; what else lies in it, files put into others too, is not its text. */
export function extractOldOffice(bytes: Uint8Array): Extraction {
  if (contentOf(bytes) === "biff") return extractXls(bytes);
  const { has, read } = openCompound(bytes);
  if (has(WRAPPED)) return PROTECTED;
  if (has("WordDocument")) return extractDoc(read);
  const workbook = read("Workbook") ?? read("Book");
  return workbook ? extractXls(workbook) : { ok: false, reason: "This is no Word or Excel file that can be read." };
}
