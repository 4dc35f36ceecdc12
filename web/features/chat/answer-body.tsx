import { Fragment, Suspense, lazy } from "react";
import type { Insert } from "#web/features/markdown/inserts.ts";

const markdown = import("#web/features/markdown/markdown.tsx");
const Markdown = lazy(async () => ({ default: (await markdown).Markdown }));

type AnswerBodyProps = {
  text: string;
  isStreaming: boolean;
  /** What stands between its blocks. */
  inserts: readonly Insert[];
};

/** An answer's text with what stands between; as it was written until the renderer is here. */
export function AnswerBody({ text, isStreaming, inserts }: AnswerBodyProps) {
  return (
    <div className="min-w-0 text-15 [overflow-wrap:anywhere] text-ink">
      <Suspense
        fallback={
          <>
            <div className="whitespace-pre-wrap">{text}</div>
            {inserts.map(({ key, node }) => (
              <Fragment key={key}>{node}</Fragment>
            ))}
          </>
        }
      >
        <Markdown text={text} streaming={isStreaming} inserts={inserts} />
      </Suspense>
    </div>
  );
}
