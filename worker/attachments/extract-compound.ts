import { openCompound } from "./compound-file.ts";
import { extractDoc } from "./extract-doc.ts";
import { extractXls } from "./extract-xls.ts";
import type { Extraction } from "./extraction.ts";

/** The text of a Word or Excel file as they were before 2007. */
export function extractCompound(bytes: Uint8Array): Extraction {
  const stream = openCompound(bytes);
  // What Office wraps a newer file in when it has a password.
  if (stream("EncryptedPackage")) return { ok: false, reason: "This file is protected by a password." };
  const workbook = stream("Workbook");
  if (!workbook && stream("Book")) return { ok: false, reason: "This workbook is too old to be read." };
  return workbook ? extractXls(workbook) : extractDoc(stream);
}
