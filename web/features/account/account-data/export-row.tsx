import { Download, X } from "lucide-react";
import {
  deleteAccountExport,
  downloadAccountExport,
  getAccountExport,
  startAccountExport,
} from "#shared/contracts/account/account-export.ts";
import type { AccountExport } from "#shared/entities/library/account-export.ts";
import { address, call } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { ProgressBar } from "#web/ui/progress-bar.tsx";
import { formatBytes } from "#shared/attachment-rules.ts";
import { IMPORT_FILE_BYTES } from "#shared/limits.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { queryClient, setAnswer } from "#web/lib/query.ts";

const KEY = ["account-export"] as const;
/** How often it is looked how far an export is, in milliseconds: most are ready within moments. */
const POLL_INTERVAL_MS = 2_000;
const FIRST_POLLS_INTERVAL_MS = 500;
const FIRST_POLLS = 6;

/** The person's newest export, followed while it is made. */
function useAccountExport() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(getAccountExport, {}, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data?.export?.state !== "running") return false;
      return Date.now() - Date.parse(state.data.export.created_at) < FIRST_POLLS * FIRST_POLLS_INTERVAL_MS
        ? FIRST_POLLS_INTERVAL_MS
        : POLL_INTERVAL_MS;
    },
  });
}

/** Begins an export; `id` names it, so a second press makes no second one. */
function useStartExport() {
  return useMutation({
    mutationFn: (id: string) => call(startAccountExport, { body: { id } }),
    onSuccess: (started) => setAnswer(KEY, started),
    onError: () => void queryClient.invalidateQueries({ queryKey: KEY }),
  });
}

/** Deletes an export, or gives one up that is being made. */
function useDeleteExport() {
  return useMutation({
    mutationFn: (id: string) => call(deleteAccountExport, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
}

const HOUR_MS = 60 * 60_000;
const MINUTE_MS = 60_000;

/** How an export stands, in a sentence: `12 of 40 chats and files`, or `3.4 MB, expires in 23 hours`. `now` is in epoch milliseconds. */
function exportStatusText(
  { state, done, total, size, left_out: leftOut, problem, expires_at: expires }: AccountExport,
  now: number,
): string {
  switch (state) {
    case "running":
      return total === 0 ? "It is being made." : `It is being made: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}.`;
    case "failed":
      return problem ?? "Something went wrong on our side.";
    case "ready": {
      const missing = leftOut === 0 ? "" : ` ${leftOut.toLocaleString("en")} could not be included; account.json in it says why.`;
      const isTooLarge = size > IMPORT_FILE_BYTES ? ` It is larger than the ${formatBytes(IMPORT_FILE_BYTES)} that can be imported.` : "";
      return `${formatBytes(size)}${expires === null ? "" : `, expires in ${timeLeft(Date.parse(expires) - now)}`}.${missing}${isTooLarge}`;
    }
  }
}

function timeLeft(ms: number): string {
  if (ms >= 2 * HOUR_MS) return `${Math.floor(ms / HOUR_MS)} hours`;
  const minutes = Math.max(1, Math.floor(ms / MINUTE_MS));
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

const ABOUT = "All chats with their files, and all that you made and set up, as a ZIP. A mail follows once it is ready.";

/** Everything that a person has as one file: asked for, followed while it is made, and downloaded for a day. */
export default function ExportRow() {
  const { data, isError, dataUpdatedAt, refetch } = useAccountExport();
  const start = useStartExport();
  const drop = useDeleteExport();
  const accountExport = data?.export ?? null;
  const error = start.error ?? drop.error;
  return (
    <LedgerRow
      label="Export everything"
      description={accountExport ? <ExportStatus accountExport={accountExport} at={dataUpdatedAt} /> : ABOUT}
      error={isError ? "How your export stands could not be loaded." : error?.message}
      retry={isError ? () => void refetch() : undefined}
    >
      <div className="flex shrink-0 items-center gap-4">
        {/* Before the others: what was pressed last stays what is under the pointer. */}
        {accountExport !== null && accountExport.state !== "failed" && (
          <IconButton
            label={accountExport.state === "ready" ? "Delete the export" : "Stop the export"}
            icon={X}
            onClick={() => drop.mutate(accountExport.id)}
          />
        )}
        {accountExport?.state === "ready" ? (
          <a
            href={address(downloadAccountExport, { params: { id: accountExport.id } })}
            download
            className="inline-flex h-32 items-center gap-8 rounded-8 bg-accent px-12 text-13 font-medium text-accent-ink hover:bg-accent-hover touch:h-44"
          >
            <Download aria-hidden className="size-16" />
            Download
          </a>
        ) : (
          data !== undefined && (
            <Button
              size="sm"
              busy={start.isPending || accountExport?.state === "running"}
              onClick={() => start.mutate(crypto.randomUUID())}
            >
              {accountExport?.state === "failed" ? "Try again" : "Export"}
            </Button>
          )
        )}
      </div>
    </LedgerRow>
  );
}

function ExportStatus({ accountExport, at }: { accountExport: AccountExport; at: number }) {
  const statusText = exportStatusText(accountExport, at);
  return (
    <span role={accountExport.state === "failed" ? "alert" : "status"} className="block tabular-nums">
      {accountExport.state === "ready" && <span className="font-medium text-ink">Ready. </span>}
      <span className={accountExport.state === "failed" ? "text-danger" : undefined}>{statusText}</span>
      {accountExport.state === "running" && (
        <ProgressBar
          aria-label="Progress of the export"
          max={Math.max(accountExport.total, 1)}
          value={accountExport.done}
          className="mt-6 block w-192 max-[767px]:w-full"
        />
      )}
    </span>
  );
}
