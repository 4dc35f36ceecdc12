import type { ReactNode } from "react";

/** One thing that went into an answer: `onWrong` leads to where it is mended, null where its reader has no hand in it. */
export type ReceiptItem = { id: string; name: string; content: ReactNode; onWrong: (() => void) | null };

type ReceiptListProps = { label: string; title: string; items: readonly ReceiptItem[] };

/** Things of one kind that went into an answer, each with the way to mend it. */
export function ReceiptList({ label, title, items }: ReceiptListProps) {
  if (items.length === 0) return null;
  return (
    <section aria-label={label} className="mt-12 border-t border-line pt-10 text-13">
      <h4 className="text-ink3">{title}</h4>
      <ul className="mt-4 max-h-200 space-y-4 overflow-y-auto">
        {items.map(({ id, name, content, onWrong }) => (
          <li key={id} className="flex items-start gap-12">
            <span dir="auto" className="min-w-0 flex-1 break-words text-ink">
              {content}
            </span>
            {onWrong && (
              <button
                type="button"
                aria-label={`Wrong: ${name}`}
                onClick={onWrong}
                className="shrink-0 text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink touch:min-h-44"
              >
                Wrong?
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
