import { ChevronRight } from "lucide-react";
import { memo } from "react";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";
import { cx } from "#web/ui/cx.ts";

type ReasoningToggleProps = { label: string; isOpen: boolean; isThinking: boolean; panelId: string; onToggle: () => void };

/** The fold of a model's reasoning, on its turn's line. */
export function ReasoningToggle({ label, isOpen, isThinking, panelId, onToggle }: ReasoningToggleProps) {
  return (
    <>
      {isThinking ? (
        <span aria-hidden className="thinking-dot shrink-0 text-ink3" />
      ) : (
        <span aria-hidden className="text-ink3">
          ·
        </span>
      )}
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={onToggle}
        className="-mx-4 inline-flex h-28 shrink-0 items-center gap-4 rounded-6 px-4 text-13 text-ink3 tabular-nums transition-colors duration-120 hover:text-ink touch:h-44"
      >
        {label}
        <ChevronRight aria-hidden className={cx("size-14 transition-transform duration-120", isOpen && "rotate-90")} />
      </button>
    </>
  );
}

/** What a model thought, unfolded; gone through again only as it grows itself, not with the answer below it. */
export const ReasoningText = memo(function ReasoningText({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  return (
    <div className="mt-4 mb-8 border-l border-line pl-16">
      <Markdown text={text} streaming={isGrowing} isQuiet />
    </div>
  );
});
