import type { SharedKind } from "#shared/sharing/share-links.ts";
import { ApiError } from "#web/lib/api.ts";

type Asked = { isPending: boolean; error: Error | null; data?: unknown };

/** Why something shared cannot be shown, in the server's words where it answered; null where it can, or is still on its way. */
export function loadFailure(kind: SharedKind, { isPending, error, data }: Asked): string | null {
  if (error) return error instanceof ApiError && error.status > 0 ? error.message : `Failed to load shared ${kind}`;
  return isPending || data ? null : `Shared ${kind} not found`;
}

/** How many files something shared has, as part of a sentence; nothing where it has none. */
export function filesText(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " with 1 file" : ` with ${count} files`;
}

/** How far the copying of files is, in words. */
export function copiedText({ copied, failed, total }: { copied: number; failed: number; total: number }): string {
  const done = `${copied} of ${total} ${total === 1 ? "file" : "files"} copied`;
  if (failed > 0) return `${done}, ${failed} could not be.`;
  return copied === total ? `Imported: ${done}.` : `Imported. ${done}…`;
}
