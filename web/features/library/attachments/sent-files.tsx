import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { formatBytes } from "#shared/attachment-rules.ts";
import type { Attachment } from "#shared/entities/attachment.ts";
import { FileIcon } from "#web/ui/file-icon.tsx";

/** The files of a sent message: pictures to look at, recordings to hear, all others to download. */
export function SentFiles({ files }: { files: readonly Attachment[] }) {
  return (
    <ul aria-label="Attached files" className="flex flex-wrap items-end justify-end gap-6">
      {files.map((file) => (
        <li key={file.id} className="max-w-full min-w-0">
          <Sent file={file} />
        </li>
      ))}
    </ul>
  );
}

function Sent({ file }: { file: Attachment }) {
  if (file.isMissing) return <MissingFile file={file} />;
  if (file.kind === "image") return <SentPicture file={file} />;
  return file.kind === "audio" ? <SentRecording file={file} /> : <SentFile file={file} />;
}

function SentPicture({ file: { url, name } }: { file: Attachment }) {
  return (
    <a href={url} target="_blank" rel="noreferrer" className="block overflow-hidden rounded-12 bg-s3">
      {/* A box of its own size, so nothing moves when the picture comes. */}
      <img src={url} alt={name} width={180} height={135} loading="lazy" decoding="async" className="block h-135 w-180 object-cover" />
    </a>
  );
}

function SentRecording({ file: { url, name } }: { file: Attachment }) {
  // What it says stands in the message's words.
  // oxlint-disable-next-line jsx-a11y/media-has-caption
  return <audio controls preload="metadata" src={url} aria-label={name} className="block h-40 w-280 max-w-full" />;
}

function SentFile({ file: { url, name, size, unread } }: { file: Attachment }) {
  return (
    <a href={url} download={name} title={unread ?? name} className={`${BOX} group bg-s3 transition-colors duration-120 hover:bg-s4`}>
      <FileFacts name={name} note={formatBytes(size)}>
        <FileIcon name={name} className="size-18 group-hover:hidden" />
        <Download aria-hidden className="hidden size-18 group-hover:block" />
      </FileFacts>
    </a>
  );
}

/** A file of an imported chat: only its name came along. */
function MissingFile({ file: { name } }: { file: Attachment }) {
  return (
    <div className={`${BOX} border border-dashed border-line-strong`}>
      <FileFacts name={name} note="Not part of the import">
        <FileIcon name={name} className="size-18" />
      </FileFacts>
    </div>
  );
}

const BOX = "flex h-48 max-w-300 min-w-0 items-center gap-8 rounded-12 pr-12 pl-6 touch:h-56";

function FileFacts({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <>
      <span className="inline-flex size-36 shrink-0 items-center justify-center rounded-8 bg-s2 text-ink2">{children}</span>
      <span className="min-w-0">
        <span className="block truncate text-13 font-medium text-ink">{name}</span>
        <span className="block truncate text-12 text-ink2">{note}</span>
      </span>
    </>
  );
}
