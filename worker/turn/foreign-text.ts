import { readsOutside } from "../tools/toolbox.ts";
import { sentFiles } from "../attachments/room-file.ts";
import type { Section } from "./contribution.ts";
import { citationsOf, type PathRow } from "./path.ts";
import type { StoredCall, StoredRound } from "./round.ts";

type Read = { rounds: ReadonlyMap<string, StoredRound[]>; sections: readonly Section[]; userId: string };

/**
 * True where a prompt holds what neither this person nor a model wrote: messages of other people, mails, what was forwarded, of whom a copied public
 * chat has no names, files (what somebody said themselves is none), pages that a tool or a model read, and what others wrote into its system prompt.
 */
export function holdsForeignText(path: readonly PathRow[], { rounds, sections, userId }: Read): boolean {
  return (
    sections.some(({ isForeign }) => isForeign) ||
    path.some(
      (row) =>
        (row.role === "user" && row.author_id !== userId) ||
        row.mail !== null ||
        sentFiles(row.attachments).some(({ isGone, kind }) => !isGone && kind !== "audio") ||
        citationsOf(row).length > 0 ||
        (rounds.get(row.id) ?? []).some(({ calls }) => calls.some(hasBroughtForeignText)),
    )
  );
}

/** True for a call that has shown its model what others wrote; a tool that is gone may have. */
export function hasBroughtForeignText({ status, tool }: Pick<StoredCall, "status" | "tool">): boolean {
  return status === "done" && readsOutside(tool);
}
