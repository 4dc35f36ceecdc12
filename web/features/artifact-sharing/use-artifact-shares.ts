import { useMutation, useQuery } from "@tanstack/react-query";
import { listArtifactShares, removeArtifactShare, removeArtifactTeamShare, shareArtifact } from "#shared/contracts/artifacts.ts";
import type { ShareInput } from "#shared/contracts/chat/sharing.ts";
import type { Shares } from "#shared/entities/share.ts";
import { showArtifact } from "#web/features/artifacts/change-artifact.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** Who reaches an artifact; asked again each time the dialog opens. */
export function useArtifactShares(id: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.artifactShares(id),
    queryFn: ({ signal }) => call(listArtifactShares, { params: { id } }, { signal }),
    enabled,
    staleTime: 0,
  });
}

function take(id: string, shares: Shares): void {
  queryClient.setQueryData<Shares>(keys.artifactShares(id), shares);
  showArtifact(id, { is_shared: shares.userShares.length + shares.teamShares.length > 0 });
}

/** Shares an artifact, or changes the level of a share. */
export function useShareArtifact(id: string) {
  return useMutation({
    mutationFn: (body: ShareInput) => call(shareArtifact, { params: { id }, body }),
    onSuccess: (shares) => take(id, shares),
  });
}

/** Takes a share back. */
export function useRemoveArtifactShare(id: string) {
  return useMutation({
    mutationFn: async ({ kind, shareId }: { kind: "user" | "team"; shareId: string }) => {
      await call(kind === "user" ? removeArtifactShare : removeArtifactTeamShare, { params: { id, shareId } });
      return call(listArtifactShares, { params: { id } });
    },
    onSuccess: (shares) => take(id, shares),
  });
}
