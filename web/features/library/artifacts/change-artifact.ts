import { deleteArtifact, updateArtifact } from "#shared/contracts/artifacts.ts";
import type { ArtifactDetails } from "#shared/entities/artifact.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { dropFromLists, refreshArtifacts, showInLists } from "./use-artifacts.ts";

/** An artifact as it is held here. */
export type ArtifactAnswer = { artifact: ArtifactDetails };

/** Shows a change of an artifact wherever it is held. */
export function showArtifact(id: string, change: Partial<ArtifactDetails>): void {
  queryClient.setQueryData<ArtifactAnswer>(keys.artifact(id), (held) => held && { artifact: { ...held.artifact, ...change } });
  const { content: _content, review: _review, ...summary } = change;
  showInLists(id, summary);
}

/** Renames or pins an artifact: seen at once, and taken back with the reason where saving fails. */
export async function changeArtifact(
  { id, title, is_pinned }: { id: string; title: string; is_pinned: boolean },
  change: { title?: string; is_pinned?: boolean },
): Promise<void> {
  showArtifact(id, change);
  try {
    const { artifact } = await call(updateArtifact, { params: { id }, body: change });
    showArtifact(id, { title: artifact.title, is_pinned: artifact.is_pinned, updated_at: artifact.updated_at });
    refreshArtifacts();
  } catch (error) {
    showArtifact(id, { title, is_pinned });
    const what = change.title === undefined ? "pinned" : "renamed";
    toastFailure(`The artifact was not ${what}`, error);
  }
}

/** Deletes an artifact with all its versions; true where that was done. */
export async function removeArtifact(id: string): Promise<boolean> {
  try {
    await call(deleteArtifact, { params: { id } });
    dropFromLists(id);
    queryClient.removeQueries({ queryKey: keys.artifact(id) });
    return true;
  } catch (error) {
    toastFailure("The artifact was not deleted", error);
    return false;
  }
}
