import { Download, X } from "lucide-react";
import { downloadAccountExport } from "#shared/contracts/account/account-export.ts";
import type { AccountExport } from "#shared/entities/library/account-export.ts";
import { address } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { ProgressBar } from "#web/ui/progress-bar.tsx";
import { exportWords } from "./export-words.ts";
import { useAccountExport, useDeleteExport, useStartExport } from "./use-account-export.ts";

const ABOUT = "All chats with their files, and all that you made and set up, as a ZIP. A mail follows once it is ready.";

/** Everything that a person has as one file: asked for, followed while it is made, and downloaded for a day. */
export default function ExportRow() {
  const { data, isError, dataUpdatedAt, refetch } = useAccountExport();
  const start = useStartExport();
  const drop = useDeleteExport();
  const held = data?.export ?? null;
  const error = start.error ?? drop.error;
  return (
    <LedgerRow
      label="Export everything"
      description={held ? <Standing held={held} at={dataUpdatedAt} /> : ABOUT}
      error={isError ? "How your export stands could not be loaded." : error?.message}
      retry={isError ? () => void refetch() : undefined}
    >
      <div className="flex shrink-0 items-center gap-4">
        {/* Before the others: what was pressed last stays what is under the pointer. */}
        {held !== null && held.state !== "failed" && (
          <IconButton
            label={held.state === "ready" ? "Delete the export" : "Stop the export"}
            icon={X}
            onClick={() => drop.mutate(held.id)}
          />
        )}
        {held?.state === "ready" ? (
          <a
            href={address(downloadAccountExport, { params: { id: held.id } })}
            download
            className="inline-flex h-32 items-center gap-8 rounded-8 bg-accent px-12 text-13 font-medium text-accent-ink hover:bg-accent-hover touch:h-44"
          >
            <Download aria-hidden className="size-16" />
            Download
          </a>
        ) : (
          data !== undefined && (
            <Button size="sm" busy={start.isPending || held?.state === "running"} onClick={() => start.mutate(crypto.randomUUID())}>
              {held?.state === "failed" ? "Try again" : "Export"}
            </Button>
          )
        )}
      </div>
    </LedgerRow>
  );
}

function Standing({ held, at }: { held: AccountExport; at: number }) {
  const words = exportWords(held, at);
  return (
    <span role={held.state === "failed" ? "alert" : "status"} className="block tabular-nums">
      {held.state === "ready" && <span className="font-medium text-ink">Ready. </span>}
      <span className={held.state === "failed" ? "text-danger" : undefined}>{words}</span>
      {held.state === "running" && (
        <ProgressBar
          aria-label="Progress of the export"
          max={Math.max(held.total, 1)}
          value={held.done}
          className="mt-6 block w-192 max-[767px]:w-full"
        />
      )}
    </span>
  );
}
