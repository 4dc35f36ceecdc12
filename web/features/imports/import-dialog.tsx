import { isUnderWay } from "#shared/imports/import.ts";
import { useStore } from "#web/lib/store.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { keepFocus } from "#web/ui/keep-focus.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useState } from "react";
import { ChooseExport } from "./choose-export.tsx";
import { ImportProgress } from "./import-progress.tsx";
import { ImportReport } from "./import-report.tsx";
import { uploading } from "./upload-parts.ts";
import { useImporting, useNewestImport } from "./use-imports.ts";

type ImportDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Brings chats from elsewhere: a file is chosen, recognised, imported, and the outcome is shown. */
export default function ImportDialog({ open, onOpenChange }: ImportDialogProps) {
  const { newest, isLoaded, isError, retry } = useNewestImport();
  const sending = useStore(uploading);
  const { send, start, cancel } = useImporting();
  const [isAnother, setIsAnother] = useState(false);
  const isOpen = newest !== null && isUnderWay(newest);
  const isReport = newest !== null && !isOpen && !isAnother && !(sending && sending.error === null);
  const error = start.error ?? cancel.error;
  const choose = (file: File) => {
    setIsAnother(false);
    start.reset();
    send.mutate({ file, begun: newest?.state === "uploading" ? newest : null });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Import chats"
      width={520}
      footer={
        isOpen || send.isPending ? (
          <>
            <Button variant="quiet" busy={cancel.isPending} onClick={() => newest && cancel.mutate(newest.id)}>
              Cancel import
            </Button>
            {newest?.state === "ready" && (
              <Button variant="primary" busy={start.isPending} onClick={() => start.mutate(newest.id)}>
                Import
              </Button>
            )}
          </>
        ) : isReport ? (
          <>
            <Button variant="quiet" onClick={() => setIsAnother(true)}>
              Import another file
            </Button>
            {newest.can_retry ? (
              <Button variant="primary" busy={start.isPending} onClick={() => start.mutate(newest.id)}>
                Try again
              </Button>
            ) : (
              <Button variant="primary" onClick={() => onOpenChange(false)}>
                Done
              </Button>
            )}
          </>
        ) : null
      }
    >
      {!isLoaded &&
        (isError ? (
          <div role="alert" className="text-14 text-danger">
            <p>How your import stands could not be loaded.</p>
            <Button ref={keepFocus} className="mt-12" onClick={retry}>
              Try again
            </Button>
          </div>
        ) : (
          <output aria-label="Loading" className="block space-y-12">
            <Skeleton className="h-148 w-full" />
            <Skeleton className="h-16 w-2/3" />
          </output>
        ))}
      {isLoaded && !isReport && !isBeyondUpload(newest?.state) && (
        <ChooseExport sending={sending} begun={isOpen ? newest : null} onChoose={choose} />
      )}
      {newest && isBeyondUpload(newest.state) && <ImportProgress import={newest} />}
      {isReport && <ImportReport import={newest} />}
      {error && (
        <p role="alert" className="mt-12 text-13 text-danger">
          {error.message}
        </p>
      )}
    </Dialog>
  );
}

function isBeyondUpload(state: string | undefined): boolean {
  return state === "ready" || state === "reading" || state === "importing";
}
