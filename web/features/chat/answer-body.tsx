import type { Insert } from "#web/features/markdown/inserts.ts";
import { Markdown } from "#web/features/markdown/markdown.tsx";

type AnswerBodyProps = {
  text: string;
  isStreaming: boolean;
  /** What stands between its blocks. */
  inserts: readonly Insert[];
};

/** An answer's text with what stands between. */
export function AnswerBody({ text, isStreaming, inserts }: AnswerBodyProps) {
  return (
    <div data-answer className="min-w-0 text-15 [overflow-wrap:anywhere] text-ink">
      <Markdown text={text} streaming={isStreaming} inserts={inserts} />
    </div>
  );
}
