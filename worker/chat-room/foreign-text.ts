import { findTool } from "../tools/registry.ts";
import { sentFiles } from "./attachments.ts";
import { citationsOf, type PathRow } from "./message-row.ts";
import type { StoredCall, StoredRound } from "./tool-rounds.ts";

/** True where a path holds what neither its people nor its models wrote: files, and pages that a tool or a model read. */
export function holdsForeignText(path: readonly PathRow[], rounds: ReadonlyMap<string, StoredRound[]>): boolean {
  return path.some(
    (row) =>
      sentFiles(row.attachments).some(({ isGone }) => !isGone) ||
      citationsOf(row).length > 0 ||
      (rounds.get(row.id) ?? []).some(({ calls }) => calls.some(hasBroughtForeignText)),
  );
}

/** True for a call that has told its model what others wrote; a tool that is gone may have. */
export function hasBroughtForeignText({ status, tool }: Pick<StoredCall, "status" | "tool">): boolean {
  return status === "done" && (findTool(tool)?.readsOutside ?? true);
}
