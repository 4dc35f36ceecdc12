import { openCompound } from "./compound-file.ts";
import { extractDoc } from "./extract-doc.ts";
import { extractXls } from "./extract-xls.ts";
import type { Extraction } from "./extraction.ts";
import { contentOf } from "./sniff-format.ts";

/** The text of a Word or Excel file as they were before 2007; what else lies in it, files put into others too, is not its text. */
export function extractOldOffice(bytes: Uint8Array): Extraction {
  if (contentOf(bytes) === "biff") return extractXls(bytes);
  const { has, read } = openCompound(bytes);
  // What Office wraps a newer file in when it has a password.
  if (has("EncryptedPackage")) return { ok: false, reason: "This file is protected by a password." };
  if (has("WordDocument")) return extractDoc(read);
  const workbook = read("Workbook") ?? read("Book");
  return workbook ? extractXls(workbook) : { ok: false, reason: "This is no Word or Excel file that can be read." };
}
