import { FileUp } from "lucide-react";
import { useId, useRef, useState } from "react";
import { formatBytes } from "#shared/attachment-rules.ts";
import type { Import } from "#shared/imports/import.ts";
import { IMPORT_FILE_BYTES } from "#shared/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { ProgressBar } from "#web/ui/progress-bar.tsx";
import { isSameFile, type Uploading } from "./upload-parts.ts";

type ChooseExportProps = {
  /** The upload of this tab. */
  sending: Uploading | null;
  /** An upload that stopped, with parts here. */
  begun: Import | null;
  onChoose: (file: File) => void;
};

/** Where an export file is dropped or chosen, and how far its upload is. */
export function ChooseExport({ sending, begun, onChoose }: ChooseExportProps) {
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
