import type { ArtifactHit, SearchHit } from "#shared/contracts/search.ts";
import { passageOf, passagePath } from "#web/features/library/artifact-passage/passage-link.ts";
import type { FilterName, FolderHit } from "./search-names.ts";
import { pathOfHit, type SearchGroup, shownOf } from "./search-groups.ts";
import type { SearchAction } from "./use-search-actions.ts";

/** A row that can be chosen. */
export type SearchItem = { id: string; to: string | null } & (
  | { kind: "hit" | "more"; hit: SearchHit }
  | { kind: "unfold"; chatId: string; count: number }
  | { kind: "older" }
  | { kind: "artifact"; artifact: ArtifactHit }
  | { kind: "name"; name: FilterName }
  | { kind: "folder"; folder: FolderHit }
  | { kind: "action"; action: SearchAction }
);

/** The rows of what was found, as they stand below each other; `hasMore` adds one that reads on. */
export function foundItems(
  groups: readonly SearchGroup[],
  { unfolded, hasMore }: { unfolded: ReadonlySet<string>; hasMore: boolean },
): SearchItem[] {
  const rows = groups.flatMap((group): SearchItem[] => {
    const { shown, folded } = shownOf(group, unfolded);
    return [
      { id: `hit-${group.chatId}`, kind: "hit", hit: group.lead, to: pathOfHit(group.lead) },
      ...shown.map((hit): SearchItem => ({ id: `more-${hit.id}`, kind: "more", hit, to: pathOfHit(hit) })),
      ...(folded > 0 ? [{ id: `unfold-${group.chatId}`, kind: "unfold", chatId: group.chatId, count: folded, to: null } as const] : []),
    ];
  });
  return hasMore ? [...rows, { id: "older", kind: "older", to: null }] : rows;
}

/** The rows of artifacts that were found. */
export function artifactItems(artifacts: readonly ArtifactHit[]): SearchItem[] {
  return artifacts.map((artifact) => ({
    id: `artifact-${artifact.id}`,
    kind: "artifact",
    artifact,
    to: passagePath(artifact.id, passageOf(artifact.snippet)),
  }));
}

/** The rows of names that a filter may have. */
export function nameItems(names: readonly FilterName[]): SearchItem[] {
  return names.map((name) => ({ id: `name-${name.id}`, kind: "name", name, to: null }));
}

/** The rows of folders that were found. */
export function folderItems(folders: readonly FolderHit[]): SearchItem[] {
  return folders.map((folder) => ({ id: `folder-${folder.id}`, kind: "folder", folder, to: null }));
}

/** The rows of what can be done. */
export function actionItems(actions: readonly SearchAction[]): SearchItem[] {
  return actions.map((action) => ({ id: `action-${action.id}`, kind: "action", action, to: action.to ?? null }));
}

/** The row a step up or down from another, around the ends. */
export function stepFrom(items: readonly SearchItem[], id: string | null, step: 1 | -1): string | null {
  const at = items.findIndex((item) => item.id === id);
  const next = at === -1 ? (step === 1 ? 0 : items.length - 1) : (at + step + items.length) % items.length;
  return items[next]?.id ?? null;
}
