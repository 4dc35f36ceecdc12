import { Suspense, lazy } from "react";

const markdown = import("#web/features/markdown/markdown.tsx");
const Markdown = lazy(async () => ({ default: (await markdown).Markdown }));

/** An answer's text; as it was written until the renderer is here. */
export function AnswerBody({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  return (
    <div className="min-w-0 text-15 [overflow-wrap:anywhere] text-ink">
      <Suspense fallback={<div className="whitespace-pre-wrap">{text}</div>}>
        <Markdown text={text} streaming={isStreaming} />
      </Suspense>
    </div>
  );
}
