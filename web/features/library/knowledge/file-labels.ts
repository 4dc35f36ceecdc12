import { type FileFormat, formatBytes, formatOfName } from "#shared/attachment-rules.ts";
import type { KnowledgeFile } from "#shared/entities/library/knowledge.ts";
import { SCAN_BYTES, SCAN_PAGES, scanPrice } from "#shared/scans.ts";
import { splitCredits } from "#web/lib/dollars.ts";
import { counted } from "#web/lib/format.ts";

const KINDS: Record<FileFormat, string> = {
  jpeg: "Image",
  png: "Image",
  gif: "Image",
  webp: "Image",
  pdf: "PDF",
  text: "Text",
  markdown: "Markdown",
  json: "JSON",
  csv: "CSV",
  doc: "Word",
  docx: "Word",
  xls: "Excel",
  xlsx: "Excel",
};

/** What kind of file a name is of, for people. */
export function fileKind(name: string): string {
  const format = formatOfName(name);
  return format === null ? "File" : KINDS[format];
}

/** Google's own types, as people call them; files of them have an extension that is none of their name. */
const GOOGLE_KINDS: Record<string, string> = {
  "application/vnd.google-apps.document": "Google Docs",
  "application/vnd.google-apps.spreadsheet": "Google Sheets",
  "application/vnd.google-apps.presentation": "Google Slides",
};

/** What a file is called for people. */
export function displayFileName({
  file_name: name,
  google_drive_mime_type: type,
}: Pick<KnowledgeFile, "file_name" | "google_drive_mime_type">): string {
  return type !== null && type in GOOGLE_KINDS ? name.replace(/\.[a-z]+$/, "") : name;
}

type Facts = Pick<KnowledgeFile, "file_name" | "file_size" | "pages"> & Partial<Pick<KnowledgeFile, "google_drive_mime_type">>;

/** What is known of a file, on one line: `PDF, 2.4 MB, 12 pages`. */
export function fileFacts({ file_name: name, file_size: size, pages, google_drive_mime_type: type = null }: Facts): string {
  return [
    (type !== null && GOOGLE_KINDS[type]) || fileKind(name),
    ...(size > 0 ? [formatBytes(size)] : []),
    ...(pages === null ? [] : [counted(pages, "page")]),
  ].join(", ");
}

/** What a file's badge says, and its tone. */
export function fileState({ sync_status: status, is_stored: isStored }: Pick<KnowledgeFile, "sync_status" | "is_stored">): {
  text: string;
  tone: "accent" | "danger" | "plain";
} {
  if (status === "error") return { text: "Error", tone: "danger" };
  if (status === "synced") return { text: "Synced", tone: "accent" };
  return { text: isStored ? "Pending" : "Copying", tone: "plain" };
}

/** What a press reads a scan for, with its price in US dollars: `Read 12 pages, up to $0.03`. */
export function scanOffer(pages: number, dollars: number): string {
  const { main, extra } = splitCredits(dollars);
  return `Read ${counted(pages, "page")}, up to ${main}${extra}`;
}

/** What is known of a file below its name: why nothing, or not all of it, was read, else its facts. */
export function fileNote(file: Facts & Pick<KnowledgeFile, "unread" | "scan_pages">): string {
  if (file.unread === null) return fileFacts(file);
  if (file.scan_pages === null || scanPrice(file) !== null) return file.unread;
  return `${file.unread} Pictures are read up to ${SCAN_PAGES} pages and ${formatBytes(SCAN_BYTES)}.`;
}
