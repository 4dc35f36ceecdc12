import type { Attachment } from "#shared/entities/attachment.ts";
import { FoldedText } from "#web/ui/folded-text.tsx";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

type FilesProps = { files: readonly Attachment[] };

const SentFiles = lazyPart<FilesProps>(
  async () => (await import("#web/features/library/attachments/sent-files.tsx")).SentFiles,
  FilesSpace,
);

type UserBubbleProps = {
  content: string;
  attachments: readonly Attachment[];
  /** Own messages stand at the right. */
  side?: "left" | "right";
};

/** A person's words, as they typed them, under the files they sent along. */
export function UserBubble({ content, attachments, side = "right" }: UserBubbleProps) {
  const isOwn = side === "right";
  return (
    <div className={cx("flex max-w-580 min-w-0 flex-col gap-6", isOwn ? "items-end" : "items-start")}>
      {attachments.length > 0 && <SentFiles files={attachments} />}
      {content !== "" && (
        <div
          dir="auto"
          className={cx(
            "max-w-full min-w-0 rounded-14 bg-s3 px-14 py-9 text-15 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink [unicode-bidi:plaintext]",
            isOwn ? "rounded-br-6" : "rounded-bl-6",
          )}
        >
          {isOwn ? <FoldedText key={content} text={content} /> : content}
        </div>
      )}
    </div>
  );
}

/** Holds one row's room while the code of the files comes, so nothing moves. */
function FilesSpace({ files }: FilesProps) {
  return <div aria-hidden className={files.some(({ kind }) => kind === "image") ? "h-135" : "h-48 touch:h-56"} />;
}
