import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";
import { createTextSource, type TextSource } from "#web/features/library/artifacts/text-source.ts";
import { type SavedText, createSaving, type Saving, type SavingDeps } from "./saving.ts";

/** Whose draft it is, and of which artifact. */
export type DraftOwner = { userId: string; id: string };

/** A draft is its writer's alone: another person in the same browser neither sees nor saves it. */
function store({ userId, id }: DraftOwner) {
  return stored<SavedText | null>(
    `artifact-draft:${userId}:${id}`,
    z.nullable(z.looseObject({ version: z.number(), content: z.string() })),
    null,
  );
}

/** What was typed into an artifact and never reached the server, with the version it began from; null for nothing. */
export function readArtifactDraft(owner: DraftOwner): SavedText | null {
  return store(owner).read();
}

/** Keeps what is not saved yet, or forgets it. */
export function keepArtifactDraft(owner: DraftOwner, draft: SavedText | null): void {
  if (draft === null) store(owner).remove();
  else store(owner).write(draft);
}

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
