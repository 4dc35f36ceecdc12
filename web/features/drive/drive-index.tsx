import { useId } from "react";
import type { DriveIndexStatus } from "#shared/entities/outbound/drive-index.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { ProgressBar } from "#web/ui/progress-bar.tsx";
import { indexShare, indexWords } from "./index-words.ts";
import { useDriveIndex, useStartDriveIndex } from "./use-drive-index.ts";

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
  const words = indexWords(data);
  return (
    <div className="w-full" role="group" aria-label="Google Drive index">
      <div className="flex flex-wrap items-center gap-x-12 gap-y-6">
        {status === "running" && <ProgressBar aria-labelledby={id} max={1} value={indexShare(data)} className="w-192 max-[767px]:w-full" />}
        <p
          id={id}
          role={status === "error" ? "alert" : "status"}
          className={cx("min-w-0 flex-1 basis-160 text-13 text-pretty tabular-nums", status === "error" ? "text-danger" : "text-ink2")}
        >
          {status === "none" ? "Your Drive is not indexed yet: then chats can find what your files say." : (words ?? message)}
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
