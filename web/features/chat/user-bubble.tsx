import type { Attachment } from "#shared/entities/attachment.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

type FilesProps = { files: readonly Attachment[] };

const SentFiles = lazyPart<FilesProps>(async () => (await import("#web/features/attachments/sent-files.tsx")).SentFiles, FilesSpace);

/** A person's own words, as they typed them, under the files they sent along. */
export function UserBubble({ content, attachments }: { content: string; attachments: readonly Attachment[] }) {
  return (
    <div className="flex max-w-580 min-w-0 flex-col items-end gap-6">
      {attachments.length > 0 && <SentFiles files={attachments} />}
      {content !== "" && (
        <div className="max-w-full min-w-0 rounded-14 rounded-br-6 bg-s3 px-14 py-9 text-15 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink">
          {content}
        </div>
      )}
    </div>
  );
}

/** Holds one row's room while the code of the files comes, so that nothing moves. */
function FilesSpace({ files }: FilesProps) {
  return <div aria-hidden className={files.some(({ kind }) => kind === "image") ? "h-135" : "h-48 touch:h-56"} />;
}
