import { Check, CircleAlert, RotateCw, Upload as UploadIcon, X } from "lucide-react";
import { use, useRef } from "react";
import { ACCEPTED_FILES, formatBytes } from "#shared/attachment-rules.ts";
import type { KnowledgeFile } from "#shared/entities/library/knowledge.ts";
import { ATTACHMENT_BYTES } from "#shared/limits.ts";
import { scanPrice } from "#shared/scans.ts";
import { FileIcon } from "#web/ui/file-icon.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { DriveButtonContext } from "./drive-button-context.ts";
import { fileNote, fileState, scanOffer, displayFileName } from "./file-labels.ts";
import { useReadAgain, useReadScan, useRemoveFile } from "./use-change-knowledge.ts";
import { type Upload, useUploads } from "./use-uploads.ts";

type KnowledgeFilesProps = {
  /** Null before the entry is saved: files are added to what there is. */
  entryId: string | null;
  files: readonly KnowledgeFile[];
  canEdit: boolean;
};

/** The files of an entry: how far each is, and how more are added. */
export function KnowledgeFiles({ entryId, files, canEdit }: KnowledgeFilesProps) {
  const { features } = useSession();
  const driveButton = use(DriveButtonContext);
  const input = useRef<HTMLInputElement>(null);
  const { uploads, add, drop } = useUploads(entryId ?? "");
  // What has arrived stands in the list already.
  const sending = uploads.filter(({ id }) => files.every((file) => file.id !== id));
  const choose = () => {
    if (entryId === null) toast({ title: "Save knowledge entry first", tone: "warning" });
    else input.current?.click();
  };
  return (
    <section aria-label="Files">
      <div className="flex min-h-36 items-center gap-8">
        <h4 className="text-13 font-medium text-ink">Files</h4>
        <span className="text-12 text-ink2 tabular-nums">{files.length}</span>
        {canEdit && (
          <Button size="sm" className="ml-auto" onClick={choose}>
            <UploadIcon aria-hidden className="size-14" />
            Add file
          </Button>
        )}
        {canEdit && features?.drive && features.picker && driveButton({ entryId })}
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={ACCEPTED_FILES}
          onChange={({ currentTarget }) => {
            add([...(currentTarget.files ?? [])]);
            // The same file may be chosen again.
            currentTarget.value = "";
          }}
        />
      </div>
      <ul className="mt-4">
        {files.map((file) => (
          <FileRow key={file.id} file={file} canEdit={canEdit} />
        ))}
        {sending.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onDrop={() => drop(upload.id)} />
        ))}
      </ul>
      {files.length + sending.length === 0 && (
        <p className="text-13 text-ink2">
          {entryId === null
            ? "Files are added once the entry is saved."
            : `No files yet, of up to ${formatBytes(ATTACHMENT_BYTES)} each. What they say can be asked about in a chat.`}
        </p>
      )}
    </section>
  );
}

function FileRow({ file, canEdit }: { file: KnowledgeFile; canEdit: boolean }) {
  const remove = useRemoveFile();
  const readAgain = useReadAgain();
  const readScan = useReadScan();
  const price = scanPrice(file);
  const { text, tone } = fileState(file);
  const isError = tone === "danger";
  return (
    <li className="flex min-h-48 items-center gap-12 py-4">
      <FileIcon name={file.file_name} className="size-16 shrink-0 text-ink2" />
      <span className="min-w-0 flex-1">
        <a
          href={file.file_url}
          target="_blank"
          rel="noopener"
          title={file.file_name}
          className="block truncate text-14 text-ink hover:underline"
        >
          {displayFileName(file)}
        </a>
        <span className={cx("block text-12", isError ? "text-danger" : "truncate text-ink2")}>{fileNote(file)}</span>
        {canEdit && isError && price !== null && (
          <Button size="sm" className="mt-6" busy={readScan.isPending} onClick={() => readScan.mutate(file)}>
            {scanOffer(file.scan_pages ?? 0, price)}
          </Button>
        )}
      </span>
      <span role="status" className="shrink-0">
        {isError ? (
          <span className="inline-flex h-20 items-center gap-4 rounded-6 bg-danger-soft px-6 text-12 font-medium text-danger">
            <CircleAlert aria-hidden className="size-12" />
            {text}
          </span>
        ) : (
          <Badge tone={tone === "accent" ? "accent" : "neutral"}>
            {tone === "accent" && <Check aria-hidden className="size-12" />}
            {text}
          </Badge>
        )}
      </span>
      {canEdit && isError && (file.is_stored || file.file_source === "google_drive") && price === null && (
        <IconButton
          size="sm"
          label={`Retry ${file.file_name}`}
          tooltip="Retry"
          icon={RotateCw}
          onClick={() => !readAgain.isPending && readAgain.mutate(file)}
        />
      )}
      {canEdit && (
        <IconButton
          size="sm"
          label={`Remove ${file.file_name}`}
          tooltip="Remove"
          icon={X}
          onClick={() => !remove.isPending && remove.mutate(file)}
        />
      )}
    </li>
  );
}

function UploadRow({ upload, onDrop }: { upload: Upload; onDrop: () => void }) {
  return (
    <li className="flex min-h-48 items-center gap-12 py-4">
      <FileIcon name={upload.name} className="size-16 shrink-0 text-ink2" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-14 text-ink">{upload.name}</span>
        {upload.kind === "failed" ? (
          <span role="alert" className="block text-12 text-danger">
            {upload.message}
          </span>
        ) : (
          <span className="block text-12 text-ink2 tabular-nums">{`${Math.floor(upload.progress * 100)} % of ${formatBytes(upload.size)}`}</span>
        )}
      </span>
      <IconButton size="sm" label={`Remove ${upload.name}`} tooltip="Remove" icon={X} onClick={onDrop} />
    </li>
  );
}
