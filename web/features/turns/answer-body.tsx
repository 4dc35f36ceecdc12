import { useMemo } from "react";
import type { Message } from "#shared/entities/message.ts";
import { type ImageUse, ImageContext } from "#web/features/markdown/image-context.ts";
import type { Insert } from "#web/features/markdown/inserts.ts";
import { Markdown } from "#web/features/markdown/markdown.tsx";

type AnswerBodyProps = {
  message: Message;
  isStreaming: boolean;
  /** What stands between its blocks. */
  inserts: readonly Insert[];
};

/** An answer's text with what stands between. */
export function AnswerBody({ message: { id: messageId, chat_id: chatId, content }, isStreaming, inserts }: AnswerBodyProps) {
  const images = useMemo((): ImageUse => ({ kind: "message", chatId, messageId }), [chatId, messageId]);
  return (
    <div data-answer className="min-w-0 text-15 [overflow-wrap:anywhere] text-ink">
      <ImageContext value={images}>
        <Markdown text={content} streaming={isStreaming} inserts={inserts} />
      </ImageContext>
    </div>
  );
}
