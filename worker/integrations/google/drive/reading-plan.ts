import { type FileFormat, FORMATS, formatOfName, formatOfType } from "#shared/attachment-rules.ts";
import type { DriveFile } from "#worker/platform/clients/google/drive.ts";

/** Bytes of a file that are read: Google exports no more of its own types either. */
export const DRIVE_BYTES = 10 * 1024 * 1024;

const GOOGLE = "application/vnd.google-apps.";

/** What Google's own types are exported as, the whole of a workbook among them. */
const EXPORTS = new Map<string, FileFormat>([
  [`${GOOGLE}document`, "markdown"],
  [`${GOOGLE}spreadsheet`, "xlsx"],
  [`${GOOGLE}presentation`, "text"],
]);

/** How a file is read: `type` is what Drive is to make of it, null for its own bytes. */
export type ReadingPlan = { format: FileFormat; type: string | null };

/** How a file is read, by what it is. Null for a kind that is none to be read. */
export function planOf({ mimeType, name }: Pick<DriveFile, "mimeType" | "name">): ReadingPlan | null {
  const exported = EXPORTS.get(mimeType);
  if (exported) return { format: exported, type: FORMATS[exported].type };
  if (mimeType.startsWith(GOOGLE)) return null;
  const format = formatOfType(mimeType) ?? formatOfName(name) ?? (mimeType.startsWith("text/") ? "text" : null);
  return format === null ? null : { format, type: null };
}

/** Why nothing of a file is read, in words for its owner; null where it will be read. */
export function skipReason(file: Pick<DriveFile, "mimeType" | "name" | "size" | "capabilities">): string | null {
  const plan = planOf(file);
  if (plan === null || FORMATS[plan.format].kind === "image") return "Files of this kind have no text that is read.";
  if (file.capabilities?.canDownload === false) return "Its owner does not let it be downloaded.";
  if ((file.size ?? 0) > DRIVE_BYTES) return TOO_LARGE;
  return null;
}

/** Said of a file with more bytes than are read. */
export const TOO_LARGE = "It is larger than 10 MB.";

/** Names a file's content as it is: it changes with its bytes, and with what it is called. */
export function versionOf({ modifiedTime, md5Checksum, name, mimeType }: DriveFile): string {
  return [modifiedTime ?? "", md5Checksum ?? "", mimeType, name].join("|").slice(0, 500);
}

export const SHORTCUT = `${GOOGLE}shortcut`;
export const FOLDER = `${GOOGLE}folder`;
