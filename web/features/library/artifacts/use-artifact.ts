import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getArtifact, getArtifactVersion, listArtifactVersions } from "#shared/contracts/artifacts.ts";
import type { ArtifactVersionDetails } from "#shared/entities/artifact.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import type { ArtifactAnswer } from "./change-artifact.ts";

/** One artifact with its text; live events have it read again. */
export function useArtifact(id: string) {
  return useQuery<ArtifactAnswer>({
    queryKey: keys.artifact(id),
    queryFn: ({ signal }) => call(getArtifact, { params: { id } }, { signal }),
    staleTime: lifetimes.short,
  });
}

/** Reads an artifact as it is now, and shows it. */
export async function readArtifact(id: string): Promise<ArtifactAnswer["artifact"]> {
  const answer = await call(getArtifact, { params: { id } });
  queryClient.setQueryData<ArtifactAnswer>(keys.artifact(id), answer);
  return answer.artifact;
}

/** The versions of an artifact, newest first. */
export function useVersions(id: string, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: keys.artifactVersions(id),
    queryFn: ({ pageParam, signal }) =>
      call(listArtifactVersions, { params: { id }, query: pageParam === null ? {} : { before: pageParam } }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.nextBefore,
    staleTime: lifetimes.short,
    enabled,
  });
}

/** A version's text, which stays what it is; `nearest` takes the last one kept before where it was thinned out. */
export function versionQuery(id: string, version: number, nearest = false) {
  return {
    queryKey: [...keys.artifactVersion(id, version), nearest] as const,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ArtifactVersionDetails> =>
      (await call(getArtifactVersion, { params: { id, version }, query: nearest ? { nearest: "true" } : {} }, { signal })).version,
    staleTime: lifetimes.models,
  };
}
