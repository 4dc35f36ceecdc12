import { keepArtifactDraft, readArtifactDraft } from "./artifact-drafts.ts";
import { createSaving, type SavedText, type Saving, type SavingDeps } from "./saving.ts";
import { createTextSource, type TextSource } from "#web/features/library/artifacts/text-source.ts";

type Opening = Pick<SavingDeps, "put" | "latest" | "onState"> & {
  artifact: SavedText & { id: string };
  /** Who may write in it here; null for a reader. */
  writerId: string | null;
};

/** Opens a text with what its writer typed before and could not save, or as the server has it. */
export function openText({ artifact, writerId, ...deps }: Opening): { source: TextSource; saving: Saving; isDraft: boolean } {
  const { id, version, content } = artifact;
  const owner = writerId === null ? null : { userId: writerId, id };
  const draft = owner && readArtifactDraft(owner);
  const isDraft = draft !== null && draft.content !== content;
  // One that was saved after all would come back over a later version.
  if (owner && draft && !isDraft) keepArtifactDraft(owner, null);
  const source = createTextSource(isDraft ? draft.content : content);
  const saving = createSaving({
    ...deps,
    // A draft goes on from the version it began from: what others wrote since is merged where it is saved.
    base: isDraft ? { version: draft.version, content: draft.version === version ? content : null } : { version, content },
    isDraft,
    read: source.read,
    write: source.write,
    keep: (kept) => owner && keepArtifactDraft(owner, kept),
  });
  return { source, saving, isDraft };
}
