import { useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import type { Arrival } from "#shared/sign-in/arrivals.ts";
import type { ShareArrival, SharedKind } from "#shared/sharing/share-links.ts";
import { ArrivalSignIn } from "#web/features/people/arrival/arrival-sign-in.tsx";
import { dismissArrival } from "#web/features/people/arrival/link-store.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ApiError, serverMessage } from "#web/lib/api.ts";
import { longDate } from "#web/lib/format.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { KINDS, type Seen } from "./kinds.ts";
import { useKnowledgeEntry } from "#web/features/library/knowledge/use-knowledge.ts";
import { formatBytes } from "#shared/attachment-rules.ts";
import { FileIcon } from "#web/ui/file-icon.tsx";
import { fileKind } from "#web/features/library/knowledge/file-labels.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

const NO_FILES: NonNullable<Seen["files"]> = [];

type SharedImportProps = { arrival: ShareArrival; waiting: readonly Arrival[]; open: boolean };

/** What somebody shared by link, to look at and to import. */
export function SharedImport({ arrival: { kind, token }, waiting, open }: SharedImportProps) {
  const { icon, what, list, open: look, copy } = KINDS[kind];
  const { status } = useSession();
  const shared = useQuery({
    queryKey: keys.shared(kind, token),
    queryFn: ({ signal }) => look(token, signal),
    // Another visit of the same link may find it replaced.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const importing = useMutation({
    mutationFn: () => copy(token),
    onSuccess: ({ message, id }) => {
      void queryClient.invalidateQueries({ queryKey: list });
      // Its files are still on their way: the dialog stays and says how far they are.
      if (id !== undefined && files.length > 0) return;
      toast({ title: message, tone: "success" });
      dismissArrival(token);
    },
    onError: (error) => toast({ title: `Failed to import ${kind}`, description: error.message, tone: "danger" }),
  });
  const files = shared.data?.files ?? NO_FILES;
  const onOpenChange = (next: boolean) => !next && dismissArrival(token);
  const failure = loadFailure(kind, shared);
  if (failure !== null) {
    const retry = mayPass(shared.error) ? () => void shared.refetch() : null;
    return <ImportFailure failure={failure} token={token} open={open} retry={retry} isAsking={shared.isFetching} />;
  }
  const item = shared.data ?? null;
  const hasNoAccount = status === "visitor" || status === "guest" || isRefused(importing.error);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      icon={icon}
      title={item?.name ?? `Shared ${kind}`}
      subtitle={item ? `${what}${filesText(files.length)}, made on ${longDate(item.createdAt)}` : "Loading..."}
      width={600}
      footer={
        <Footer
          hint={hasNoAccount ? `Please sign in to import this ${kind}` : "You get your own copy. Later changes stay with its author."}
        >
          <Close token={token} />
          {hasNoAccount ? (
            <ArrivalSignIn waiting={waiting} />
          ) : importing.isSuccess ? null : (
            <Button variant="primary" disabled={item === null} busy={importing.isPending} onClick={() => importing.mutate()}>
              <Download aria-hidden className="size-16" />
              Import
            </Button>
          )}
        </Footer>
      }
    >
      {importing.data?.id !== undefined && <CopyProgress id={importing.data.id} />}
      {item && item.content !== "" && (
        <section
          // Its text may be longer than the dialog: the keyboard scrolls it too.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          aria-label="Text"
          dir="auto"
          className="max-h-[50dvh] overflow-y-auto rounded-12 bg-s1 px-16 py-14 text-15 break-words whitespace-pre-wrap text-ink"
        >
          {item.content}
        </section>
      )}
      {!item && <Skeleton className="h-120 rounded-12" />}
      {files.length > 0 && <SharedFiles files={files} />}
    </Dialog>
  );
}

type FailureProps = { failure: string; token: string; open: boolean; retry: (() => void) | null; isAsking: boolean };

function ImportFailure({ failure, token, open, retry, isAsking }: FailureProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && dismissArrival(token)}
      title="Error"
      role="alertdialog"
      footer={
        <>
          <Close token={token} />
          {retry && <TryAgain size="md" variant="primary" busy={isAsking} onClick={retry} />}
        </>
      }
    >
      <p className="text-14 text-ink2">{failure}</p>
    </Dialog>
  );
}

function Close({ token }: { token: string }) {
  return (
    <Button variant="quiet" onClick={() => dismissArrival(token)}>
      Close
    </Button>
  );
}

function Footer({ hint, children }: { hint: string; children: ReactNode }) {
  return (
    <div className="flex w-full flex-wrap items-center justify-end gap-8">
      <p className="min-w-200 flex-1 text-13 text-ink2">{hint}</p>
      <div className="flex gap-8">{children}</div>
    </div>
  );
}

/** The session ended meanwhile. */
function isRefused(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** How far the files of imported knowledge are; live events bring the next word of it. */
function CopyProgress({ id }: { id: string }) {
  const files = useKnowledgeEntry(id).data?.user_context_files ?? [];
  const copied = files.filter(({ is_stored: isStored }) => isStored).length;
  const failed = files.filter((file) => !file.is_stored && file.sync_status === "error").length;
  return (
    <div role="status" className="mb-16 rounded-12 bg-accent-soft px-16 py-12 text-14 text-accent-soft-ink">
      {files.length === 0 ? "Imported. Its files are being copied…" : copiedText({ copied, failed, total: files.length })}
    </div>
  );
}

type Asked = { isPending: boolean; error: Error | null; data?: unknown };

/** Why something shared cannot be shown, in the server's words where it answered; null where it can, or is still on its way. */
export function loadFailure(kind: SharedKind, { isPending, error, data }: Asked): string | null {
  if (error) return serverMessage(error) ?? `Failed to load shared ${kind}`;
  return isPending || data ? null : `Shared ${kind} not found`;
}

/** Whether asking again may show it: what the server says of the link itself stays so. */
export function mayPass(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** How many files something shared has, as part of a sentence; nothing where it has none. */
export function filesText(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " with 1 file" : ` with ${count} files`;
}

/** How far the copying of files is, in words. */
export function copiedText({ copied, failed, total }: { copied: number; failed: number; total: number }): string {
  const done = `${copied} of ${total} ${total === 1 ? "file" : "files"} copied`;
  if (failed > 0) return `${done}, ${failed} could not be.`;
  return copied === total ? `Imported: ${done}.` : `Imported. ${done}…`;
}

/** The files of shared knowledge: what they are, not what they say. */
function SharedFiles({ files }: { files: NonNullable<Seen["files"]> }) {
  const bytes = files.reduce((sum, { file_size: size }) => sum + size, 0);
  return (
    <section aria-label="Files" className="mt-16">
      <p className="flex items-baseline gap-8 text-13">
        <span className="font-medium text-ink">Files</span>
        <span className="text-12 text-ink2 tabular-nums">{files.length}</span>
        <span className="ml-auto text-12 text-ink2">{`${formatBytes(bytes)} together`}</span>
      </p>
      <ul className="mt-4">
        {files.map(({ file_name: name, file_size: size }, index) => (
          // Two files may have one name.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${index} ${name}`} className="flex min-h-40 items-center gap-12 text-14 text-ink">
            <FileIcon name={name} className="size-16 shrink-0 text-ink2" />
            <span className="min-w-0 flex-1 truncate" title={name}>
              {name}
            </span>
            <span className="shrink-0 text-12 text-ink2">{`${fileKind(name)}, ${formatBytes(size)}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
