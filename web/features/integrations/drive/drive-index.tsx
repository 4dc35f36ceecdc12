import { useId } from "react";
import type { DriveIndexStatus } from "#shared/entities/outbound/drive-index.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { ProgressBar } from "#web/ui/progress-bar.tsx";
import { indexFailure, indexProgress, indexStatusText } from "./index-status-text.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getDriveIndex, startDriveIndex } from "#shared/contracts/outbound/drive.ts";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";

/** How often it is looked how far a run is, in milliseconds. */
const LOOK_MS = 2_000;

/** How the index of one's Drive stands, followed while it is made. */
function useDriveIndex() {
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
function useStartDriveIndex() {
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

const LABELS: Record<DriveIndexStatus["status"], string> = {
  none: "Index Drive",
  running: "Indexing",
  completed: "Index again",
  error: "Try again",
};

/** The index of one's Drive: how far it is, what is not in it, and how it is begun. */
export default function DriveIndex() {
  const id = useId();
  const { data } = useDriveIndex();
  const start = useStartDriveIndex();
  if (!data) return null;
  const { status, errors, message } = data;
  const statusText = indexStatusText(data);
  return (
    <div className="w-full" role="group" aria-label="Google Drive index">
      <div className="flex flex-wrap items-center gap-x-12 gap-y-6">
        {status === "running" && (
          <ProgressBar aria-labelledby={id} max={1} value={indexProgress(data)} className="w-192 max-[767px]:w-full" />
        )}
        <p
          id={id}
          role={status === "error" ? "alert" : "status"}
          className={cx("min-w-0 flex-1 basis-160 text-13 text-pretty tabular-nums", status === "error" ? "text-danger" : "text-ink2")}
        >
          {status === "none" ? "Your Drive is not indexed yet: then chats can find what your files say." : (statusText ?? message)}
        </p>
        {status !== "running" && (
          <Button size="sm" busy={start.isPending} onClick={() => start.mutate()}>
            {LABELS[status]}
          </Button>
        )}
      </div>
      {errors.length > 0 && (
        <details className="mt-4 text-13 text-ink2">
          <summary className="cursor-pointer touch:py-12">Files that cannot be searched</summary>
          <ul className="mt-4 max-h-160 list-disc overflow-y-auto pl-20">
            {errors.map(({ fileName, error }, at) => (
              // Several files may have one name.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={at} className="[overflow-wrap:anywhere]">{`${fileName}: ${error}`}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
