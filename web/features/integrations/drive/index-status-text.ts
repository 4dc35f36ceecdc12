import type { DriveIndexStatus } from "#shared/entities/outbound/drive-index.ts";
import { serverMessage } from "#web/lib/api.ts";

/** How far an index is, on one line; null while there is none. */
export function indexStatusText({ status, totalFiles, indexedFiles, skippedFiles, message }: DriveIndexStatus): string | null {
  if (status === "none") return null;
  if (status !== "running") return message;
  if (totalFiles === 0) return "Looking what is in your Drive. A mail follows.";
  const done = `Indexing Drive, ${indexedFiles.toLocaleString("en")} of ${totalFiles.toLocaleString("en")} ${totalFiles === 1 ? "file" : "files"}`;
  return `${done}${skippedFiles > 0 ? `, ${skippedFiles.toLocaleString("en")} skipped` : ""}. A mail follows.`;
}

/** How much of it is done, of 0 to 1. */
export function indexProgress({ totalFiles, indexedFiles, skippedFiles }: DriveIndexStatus): number {
  return totalFiles === 0 ? 0 : Math.min(1, (indexedFiles + skippedFiles) / totalFiles);
}

/** What is said where indexing did not begin: the server's reason where it gave one. */
export function indexFailure(error: unknown): { title: string; description: string } {
  return { title: "Indexing Error", description: serverMessage(error) ?? "Failed to start Google Drive indexing" };
}
