import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { listArtifacts } from "#shared/contracts/artifacts.ts";
import type { ArtifactFilter, ArtifactSort } from "#shared/entities/library/artifact-list.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { Artifact } from "#shared/entities/artifact.ts";
import { useArtifactsOn } from "#web/features/library/artifacts/artifacts-on.ts";
import { useWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

type Page = ResponseOf<typeof listArtifacts>;
type Pages = InfiniteData<Page>;
export type ArtifactList = { filter?: ArtifactFilter; sort?: ArtifactSort; q?: string };

/** The artifacts of the shown workspace that a person may read, page by page. */
export function useArtifacts({ filter = "all", sort = "updated", q = "" }: ArtifactList = {}) {
  const workspace = useWorkspace();
  const isOn = useArtifactsOn() === "on";
  return useInfiniteQuery({
    queryKey: keys.artifactList(workspace, filter, sort, q),
    queryFn: ({ pageParam, signal }) =>
      call(listArtifacts, { query: { workspace, filter, sort, q, ...(pageParam !== null && { cursor: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: lifetimes.short,
    enabled: isOn,
  });
}

/** Each artifact of the pages once, in their order. */
export function artifactsOf(data: Pages | undefined): Artifact[] {
  const all = data?.pages.flatMap(({ artifacts }) => artifacts) ?? [];
  return [...new Map(all.map((artifact) => [artifact.id, artifact])).values()];
}

/** Shows a changed artifact in every list that is held, in its place. */
export function showInLists(id: string, change: Partial<Artifact>): void {
  queryClient.setQueriesData<Pages>({ queryKey: keys.artifacts }, (held) => {
    if (!held) return held;
    const changed = (artifact: Artifact) => (artifact.id === id ? { ...artifact, ...change } : artifact);
    return { ...held, pages: held.pages.map((page) => ({ ...page, artifacts: page.artifacts.map(changed) })) };
  });
}

/** Takes an artifact out of every list that is held. */
export function dropFromLists(id: string): void {
  queryClient.setQueriesData<Pages>({ queryKey: keys.artifacts }, (held) => {
    if (!held) return held;
    return { ...held, pages: held.pages.map((page) => ({ ...page, artifacts: page.artifacts.filter((other) => other.id !== id) })) };
  });
}

/** Reads all lists again. */
export function refreshArtifacts(): void {
  void queryClient.invalidateQueries({ queryKey: keys.artifacts });
}

/** Lets other tabs, people and models change what is shown here; returns how to stop. */
export function followArtifacts(): () => void {
  let isBack = false;
  return onLive((event) => {
    const isMissed = event.type === "hello" && isBack;
    if (event.type === "hello") isBack = true;
    if (event.type === "artifact.changed") {
      const { artifact_id: id, version } = event;
      if (version === null) dropFromLists(id);
      void queryClient.invalidateQueries({ queryKey: keys.artifactVersions(id) });
      void queryClient.invalidateQueries({ queryKey: keys.artifact(id) });
    }
    if (isMissed) void queryClient.invalidateQueries({ queryKey: ["artifact"] });
    if (isMissed || event.type === "artifact.changed" || event.type === "teams.changed") refreshArtifacts();
  });
}
