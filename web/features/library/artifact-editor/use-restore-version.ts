import { useMutation } from "@tanstack/react-query";
import { restoreArtifact } from "#shared/contracts/artifacts.ts";
import { showArtifact } from "#web/features/library/artifacts/change-artifact.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast, toastFailure } from "#web/ui/toast/toast.tsx";
import type { Saving } from "./saving.ts";

/** Makes a version of an artifact its newest again, after what was typed is saved. */
export function useRestoreVersion({ id, saving, onRestored }: { id: string; saving: Saving; onRestored: () => void }) {
  return useMutation({
    mutationFn: async (version: number) => {
      await saving.flush();
      return call(restoreArtifact, { params: { id }, body: { version } });
    },
    onSuccess: async ({ artifact }, version) => {
      showArtifact(id, artifact);
      saving.arrived({ version: artifact.version, content: artifact.content });
      onRestored();
      await queryClient.invalidateQueries({ queryKey: keys.artifactVersions(id) });
      toast({ tone: "success", title: `Version ${version} is restored` });
    },
    onError: (error) => toastFailure("The version was not restored", error),
  });
}
