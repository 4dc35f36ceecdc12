import type { AttachmentKind } from "./entities/attachment.ts";

export type FileFormat = "jpeg" | "png" | "gif" | "webp" | "pdf" | "text" | "markdown" | "json" | "csv" | "doc" | "docx" | "xls" | "xlsx";

/** What is known of each format: its MIME type, and what it is to a model. */
export const FORMATS = {
  jpeg: { type: "image/jpeg", kind: "image" },
  png: { type: "image/png", kind: "image" },
  gif: { type: "image/gif", kind: "image" },
  webp: { type: "image/webp", kind: "image" },
  pdf: { type: "application/pdf", kind: "pdf" },
  text: { type: "text/plain", kind: "text" },
  markdown: { type: "text/markdown", kind: "text" },
  json: { type: "application/json", kind: "text" },
  csv: { type: "text/csv", kind: "text" },
  doc: { type: "application/msword", kind: "document" },
  docx: { type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document", kind: "document" },
  xls: { type: "application/vnd.ms-excel", kind: "spreadsheet" },
  xlsx: { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", kind: "spreadsheet" },
} as const satisfies Record<FileFormat, { type: string; kind: AttachmentKind }>;

const BY_EXTENSION: Record<string, FileFormat> = {
  pdf: "pdf",
  txt: "text",
  md: "markdown",
  json: "json",
  csv: "csv",
  xlsx: "xlsx",
  xls: "xls",
  doc: "doc",
  docx: "docx",
  jpg: "jpeg",
  jpeg: "jpeg",
  png: "png",
  gif: "gif",
  webp: "webp",
};

/** What a file picker accepts, and WebP, which models take as well. */
export const ACCEPTED_FILES = Object.keys(BY_EXTENSION)
  .map((extension) => `.${extension}`)
  .join(",");

/** The format that a file's name claims, or null for one that is not taken. */
export function formatOfName(name: string): FileFormat | null {
  const extension = /\.([a-z]+)$/i.exec(name.trim())?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? null) : null;
}

const EXTENSIONS: { [Format in FileFormat]?: string } = { text: "txt", markdown: "md", jpeg: "jpg" };

/** The usual extension of a format. */
export function extensionOf(format: FileFormat): string {
  return EXTENSIONS[format] ?? format;
}

const ALL_FORMATS = Object.keys(FORMATS).filter((format): format is FileFormat => format in FORMATS);

/** The format of a MIME type, or null for one that is not taken. */
export function formatOfType(type: string): FileFormat | null {
  return ALL_FORMATS.find((format) => FORMATS[format].type === type) ?? null;
}

/** A size in bytes as people read it: `812 B`, `14 KB`, `3.4 MB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  const megabytes = bytes / 1024 / 1024;
  const [amount, unit] = megabytes < 1000 ? [megabytes, "MB"] : [megabytes / 1024, "GB"];
  return `${amount.toFixed(1).replace(/\.0$/, "")} ${unit}`;
}
