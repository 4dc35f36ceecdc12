import { type Import, IMPORT_SOURCES, isUnderWay } from "#shared/imports/import.ts";
import { useStore } from "#web/lib/store.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { useId, useRef, useState } from "react";
import { isSameFile, uploading, type Uploading } from "./upload-parts.ts";
import { useImporting, useNewestImport } from "./use-imports.ts";
import { formatBytes } from "#shared/attachment-rules.ts";
import { counted } from "#web/lib/format.ts";
import { ProgressBar } from "#web/ui/progress-bar.tsx";
import { Download, FileUp } from "lucide-react";
import { getImportReport } from "#shared/contracts/account/imports.ts";
import { countedKinds } from "#shared/imports/report.ts";
import { address } from "#web/lib/api.ts";
import { IMPORT_FILE_BYTES } from "#shared/limits.ts";
import { cx } from "#web/ui/cx.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

const TITLES = { done: "Imported", failed: "The import failed", cancelled: "The import was cancelled" } as const;

/** What came of an import: counted by kind, and each thing that did not come with its reason. */
function ImportReport({ import: made }: { import: Import }) {
  const { state, error, notes, note_count: count, id } = made;
  const kinds = countedKinds(made);
  const title = state === "done" || state === "failed" || state === "cancelled" ? TITLES[state] : "";
  const more = count - notes.length;
  const numbered = notes.map((note, place) => ({ ...note, key: `${place}` }));
  return (
    <section aria-label="Report of the import">
      <p role={state === "failed" ? "alert" : "status"} className="text-14 text-pretty">
        <span className="font-medium text-ink">{title}</span>
        <span className="text-ink2">{`: ${made.name}`}</span>
        {error !== null && <span className="mt-2 block text-13 text-danger">{error}</span>}
      </p>
      {kinds.length > 0 && (
        <table className="mt-12 w-full border-collapse text-13 tabular-nums">
          <thead>
            <tr className="border-b border-line text-left text-12 text-ink2">
              <th scope="col" className="py-6 font-medium">
                <span className="sr-only">Kind</span>
              </th>
              <th scope="col" className="py-6 pl-12 text-right font-medium">
                Imported
              </th>
              <th scope="col" className="py-6 pl-12 text-right font-medium">
                Already here
              </th>
              <th scope="col" className="py-6 pl-12 text-right font-medium">
                Not imported
              </th>
            </tr>
          </thead>
          <tbody>
            {kinds.map(({ kind, label, count: { came, here, failed } }) => (
              <tr key={kind} className="border-b border-line">
                <th scope="row" className="py-8 text-left font-medium text-ink first-letter:uppercase">
                  {label}
                </th>
                <Amount value={came} />
                <Amount value={here} />
                <Amount value={failed} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {notes.length > 0 && (
        <>
          <h3 className="mt-20 text-12 font-medium text-ink2">What to know</h3>
          <ul className="mt-4">
            {numbered.map(({ key, title: what, reason }) => (
              <li key={key} className="border-b border-line py-8 text-13">
                <p className="truncate font-medium text-ink">{what}</p>
                <p className="text-pretty text-ink2">{reason}</p>
              </li>
            ))}
          </ul>
          {more > 0 && <p className="mt-8 text-13 text-ink2">{`And ${more.toLocaleString("en")} more, in the report.`}</p>}
        </>
      )}
      <a
        href={address(getImportReport, { params: { id } })}
        download
        className="mt-16 inline-flex h-32 items-center gap-8 rounded-8 px-8 -ml-8 text-13 font-medium text-ink hover:bg-s3 touch:h-44"
      >
        <Download aria-hidden className="size-16 text-ink2" />
        Report as text
      </a>
    </section>
  );
}

function Amount({ value }: { value: number }) {
  return (
    <td className={value === 0 ? "py-8 pl-12 text-right text-ink3" : "py-8 pl-12 text-right text-ink"}>{value.toLocaleString("en")}</td>
  );
}

const EXTERNAL_SOURCE_NOTE =
  "Its chats come with their versions, dates and models, and with the files that are in the export. What came before is left as it is.";
const OWN_EXPORT_NOTE =
  "Its chats, files, personas, prompts, knowledge, artifacts, memories and folders come beside what you have here. Settings come where you have set nothing yet, and schedules come paused.";

/** What was recognised, and how far its import is. */
function ImportProgress({ import: now }: { import: Import }) {
  const { name, size, source, state, items, done } = now;
  const failed = now.counts.chat?.failed ?? 0;
  return (
    <>
      <div className="flex items-baseline justify-between gap-16 rounded-12 bg-s1 px-16 py-12">
        <div className="min-w-0">
          <p className="text-14 font-medium text-ink">{source === null ? "An export" : `An export of ${IMPORT_SOURCES[source]}`}</p>
          <p className="truncate text-13 text-ink2">{name}</p>
        </div>
        <p className="shrink-0 text-13 text-ink2 tabular-nums">{formatBytes(size)}</p>
      </div>
      {state === "ready" ? (
        <p className="mt-12 text-13 text-pretty text-ink2">
          {source === "polylogue" ? OWN_EXPORT_NOTE : EXTERNAL_SOURCE_NOTE} Nothing is charged.
        </p>
      ) : (
        <div role="status" className="mt-16">
          <p className="text-13 text-ink2 tabular-nums">
            {state === "reading" || items === null
              ? "Looking for chats…"
              : `${done.toLocaleString("en")} of ${counted(items, "chat")}${failed > 0 ? `, ${failed.toLocaleString("en")} not imported` : ""}`}
          </p>
          <ProgressBar
            aria-label="Progress of the import"
            max={Math.max(items ?? 1, 1)}
            value={state === "reading" ? 0 : done}
            className="mt-8 block w-full"
          />
          <p className="mt-12 text-13 text-pretty text-ink2">
            You can close this: the import goes on, and a mail tells you when it is done.
          </p>
        </div>
      )}
    </>
  );
}

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
              <TryAgain size="md" variant="primary" busy={start.isPending} onClick={() => start.mutate(newest.id)} />
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
            <TryAgain size="md" className="mt-12" onClick={retry} />
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

type ChooseExportProps = {
  /** The upload of this tab. */
  sending: Uploading | null;
  /** An upload that stopped, with parts here. */
  begun: Import | null;
  onChoose: (file: File) => void;
};

/** Where an export file is dropped or chosen, and how far its upload is. */
function ChooseExport({ sending, begun, onChoose }: ChooseExportProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const hintId = useId();
  const take = (file: File | undefined) => {
    const refused = file === undefined ? null : refusalOf(file, begun);
    setProblem(refused);
    if (file && refused === null) onChoose(file);
  };
  if (sending && sending.error === null) {
    return (
      <div role="status">
        <p className="truncate text-14 font-medium text-ink">{sending.name}</p>
        <p className="mt-2 text-13 text-ink2 tabular-nums">{`Uploading… ${Math.floor(sending.part * 100)} %`}</p>
        <ProgressBar aria-label="Progress of the upload" max={1} value={sending.part} className="mt-8 block w-full" />
      </div>
    );
  }
  const error = problem ?? sending?.error ?? null;
  return (
    <>
      {begun && (
        <p className="mb-12 text-13 text-pretty text-ink2">{`The upload of ${begun.name} stopped halfway. Choose the same file to go on where it was.`}</p>
      )}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          take(event.dataTransfer.files[0]);
        }}
        className={cx(
          "flex flex-col items-center gap-12 rounded-12 border border-dashed px-20 py-28 text-center",
          isOver ? "border-accent bg-accent-soft" : "border-line-strong bg-s1",
        )}
      >
        <FileUp aria-hidden className="size-24 text-ink2" />
        <p id={hintId} className="text-13 text-pretty text-ink2">
          Drop an export file here: the ZIP as you got it, or the conversations.json in it.
        </p>
        <Button variant="outline" aria-describedby={hintId} onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label="Export file"
          accept=".zip,.json,application/zip,application/json"
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            // The same file may be chosen again.
            currentTarget.value = "";
          }}
        />
      </div>
      {error !== null && (
        <p role="alert" className="mt-8 text-13 text-danger">
          {error}
        </p>
      )}
      <dl className="mt-16 grid grid-cols-[auto_1fr] gap-x-12 gap-y-4 text-13">
        <dt className="font-medium text-ink">ChatGPT</dt>
        <dd className="text-ink2">Settings, Data controls, Export data</dd>
        <dt className="font-medium text-ink">Claude</dt>
        <dd className="text-ink2">Settings, Privacy, Export data</dd>
      </dl>
      <p className="mt-8 text-13 text-pretty text-ink2">Both mail you a link to the file. It is deleted here once it is imported.</p>
    </>
  );
}

function refusalOf(file: File, begun: Import | null): string | null {
  if (file.size === 0) return "This file is empty.";
  if (file.size > IMPORT_FILE_BYTES) return `This file is too large: an export may have up to ${formatBytes(IMPORT_FILE_BYTES)}.`;
  if (begun && !isSameFile(file, begun)) return `This is another file than ${begun.name}. Choose that one, or cancel the import.`;
  return null;
}
