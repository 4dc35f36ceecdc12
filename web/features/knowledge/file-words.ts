import { type FileFormat, formatBytes, formatOfName } from "#shared/attachment-rules.ts";
import type { KnowledgeFile } from "#shared/entities/library/knowledge.ts";

const KINDS: Record<FileFormat, string> = {
  jpeg: "Image",
  png: "Image",
  gif: "Image",
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

/** What is known of a file, on one line: `PDF, 2.4 MB, 12 pages`. */
export function fileFacts({ file_name: name, file_size: size, pages }: Pick<KnowledgeFile, "file_name" | "file_size" | "pages">): string {
  const counted = pages === null ? [] : [pages === 1 ? "1 page" : `${pages} pages`];
  return [fileKind(name), ...(size > 0 ? [formatBytes(size)] : []), ...counted].join(", ");
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
