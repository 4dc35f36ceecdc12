import { useMutation, useQuery } from "@tanstack/react-query";
import { getDriveIndex, startDriveIndex } from "#shared/contracts/outbound/drive.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { indexFailure } from "./index-words.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** How often it is looked how far a run is, in milliseconds. */
const LOOK_MS = 2_000;

/** How the index of one's Drive stands, followed while it is made. */
export function useDriveIndex() {
  return useQuery({
    queryKey: keys.driveIndex,
    queryFn: async ({ signal }) => {
      const status = await call(getDriveIndex, {}, { signal });
      const before = queryClient.getQueryData<typeof status>(keys.driveIndex);
      // Its tool comes with it.
      if (before && before.status !== status.status) void queryClient.invalidateQueries({ queryKey: keys.toolCategories });
      return status;
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === "running" ? LOOK_MS : false),
  });
}

/** Has one's Drive indexed. */
export function useStartDriveIndex() {
  return useMutation({
    mutationFn: () => call(startDriveIndex, {}),
    onSuccess: async () => {
      toast({ title: "Google Drive indexing started", description: "A mail follows once it is done.", tone: "success" });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.driveIndex }),
        queryClient.invalidateQueries({ queryKey: keys.toolCategories }),
      ]);
    },
    onError: (error) => void toast({ ...indexFailure(error), tone: "danger" }),
  });
}
