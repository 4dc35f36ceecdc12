import { ChevronRight, FoldVertical } from "lucide-react";
import { useId, useState } from "react";
import type { Compaction } from "#shared/entities/compaction.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";
import { cx } from "#web/ui/cx.ts";

export type CompactionLineProps = { compaction: Compaction };

const integers = new Intl.NumberFormat("en");

/** Says above an answer that the model read a summary of what came before, and shows it. */
export function CompactionLine({ compaction: { status, messages, summary } }: CompactionLineProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  if (status === "running") return null;
  const label = status === "done" ? "Earlier messages were summarised" : "Earlier messages were left out";
  return (
    <div className="mb-8">
      <div className="flex items-center gap-12">
        <span aria-hidden className="h-1 flex-1 bg-line" />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setIsOpen(!isOpen)}
          className="inline-flex h-28 min-w-0 items-center gap-6 rounded-6 px-6 text-13 text-ink3 transition-colors duration-120 hover:text-ink touch:h-44"
        >
          <FoldVertical aria-hidden className="size-14 shrink-0" />
          <span className="truncate">{label}</span>
          <ChevronRight aria-hidden className={cx("size-14 shrink-0 transition-transform duration-120", isOpen && "rotate-90")} />
        </button>
        <span aria-hidden className="h-1 flex-1 bg-line" />
      </div>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (
          <div className="mt-4 mb-12 border-l border-line pl-16 text-14 [overflow-wrap:anywhere] text-ink2">
            <p className="mb-8 text-13 text-ink3">{explain(status, messages)}</p>
            {summary !== null && <Markdown text={summary} streaming={false} />}
          </div>
        )}
      </div>
    </div>
  );
}

function explain(status: "done" | "failed", messages: number): string {
  const count = messages === 1 ? "the first message" : `the first ${integers.format(messages)} messages`;
  return status === "done"
    ? `The chat outgrew the model, which from here on reads this in place of ${count}. All of them are kept.`
    : `The chat outgrew the model, and no summary could be made. It answered without ${count}. All of them are kept.`;
}
