import { RotateCw, X } from "lucide-react";
import { useState } from "react";
import { formatBytes } from "#shared/attachment-rules.ts";
import type { DraftFile } from "#web/features/conversation/composer/draft-files.ts";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { previewOf } from "./attach-files.ts";
import { FileIcon } from "#web/ui/file-icon.tsx";

type DraftChipProps = { file: DraftFile; onRetry: () => void; onRemove: () => void };

/** One file at the composer: what it is, how far it is, and how to be rid of it. */
export function DraftChip({ file, onRetry, onRemove }: DraftChipProps) {
  const isFailed = file.kind === "failed";
  return (
    <li
      className={cx(
        "relative flex min-h-48 max-w-full min-w-0 items-center gap-8 overflow-hidden rounded-12 py-6 pr-4 pl-6 touch:min-h-56",
        isFailed ? "w-full bg-danger-soft min-[521px]:w-auto min-[521px]:max-w-420" : "w-full bg-s3 min-[521px]:w-240",
      )}
    >
      <Picture file={file} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-13 font-medium text-ink" title={file.name}>
          {file.name}
        </span>
        <Status file={file} />
      </span>
      <span className="flex shrink-0 items-center">
        {isFailed && file.canRetry && (
          <IconButton size="sm" label={`Retry ${file.name}`} tooltip="Retry" icon={RotateCw} onClick={onRetry} />
        )}
        <IconButton size="sm" label={`Remove ${file.name}`} tooltip="Remove" icon={X} onClick={onRemove} />
      </span>
      {file.kind === "uploading" && (
        <span
          role="progressbar"
          aria-label={`Uploading ${file.name}`}
          aria-valuenow={Math.round(file.progress * 100)}
          className="absolute inset-x-0 bottom-0 h-3"
        >
          <span className="block h-full bg-accent" style={{ width: `${file.progress * 100}%` }} />
        </span>
      )}
    </li>
  );
}

function Status({ file }: { file: DraftFile }) {
  if (file.kind === "failed") {
    return (
      <>
        <span role="alert" className="block text-12 text-pretty text-danger">
          {file.message}
        </span>
        <span className="block text-12 text-pretty text-ink2">
          {file.canRetry ? "Retry or remove it to send." : "The message is sent without it."}
        </span>
      </>
    );
  }
  if (file.kind === "uploading") {
    const percent = Math.floor(file.progress * 100);
    return (
      <span className="block truncate text-12 text-ink2 tabular-nums">
        {percent < 100 ? `${percent} % of ${formatBytes(file.size)}` : "Reading…"}
      </span>
    );
  }
  const { unread, size } = file.attachment;
  return (
    <span className={cx("block truncate text-12", unread === null ? "text-ink2" : "text-signal-ink")} title={unread ?? undefined}>
      {unread ?? formatBytes(size)}
    </span>
  );
}

function Picture({ file }: { file: DraftFile }) {
  const preview = previewOf(file);
  const [broken, setBroken] = useState<string | null>(null);
  // What is no picture may still be named as one.
  if (preview === null || preview === broken) {
    return (
      <span className="inline-flex size-36 shrink-0 items-center justify-center rounded-8 bg-s2 text-ink2">
        <FileIcon name={file.name} className="size-18" />
      </span>
    );
  }
  return <img src={preview} alt="" onError={() => setBroken(preview)} className="size-36 shrink-0 rounded-8 bg-s2 object-cover" />;
}
