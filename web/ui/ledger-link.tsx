import { ChevronRight } from "lucide-react";
import type { ReactNode, Ref } from "react";

type LedgerLinkProps = {
  ref?: Ref<HTMLButtonElement>;
  label: string;
  description?: ReactNode;
  /** What it is set to, before the chevron. */
  value?: ReactNode;
  onClick: () => void;
};

/** One thing of the settings that has a pane or a dialog of its own. */
export function LedgerLink({ ref, label, description, value, onClick }: LedgerLinkProps) {
  return (
    <button
      ref={ref}
      type="button"
      onClick={onClick}
      className="group flex min-h-43 w-full items-center gap-16 border-b border-line py-6 text-left max-[767px]:min-h-52"
    >
      <span className="block min-w-0 flex-1 @min-[620px]:grid @min-[620px]:grid-cols-[160px_1fr] @min-[620px]:items-center @min-[620px]:gap-12">
        <span className="block text-14 font-medium text-ink">{label} </span>
        {description && <span className="block text-13 text-pretty text-ink2">{description}</span>}
      </span>
      <span className="flex shrink-0 items-center gap-6 text-13 text-ink2 tabular-nums transition-colors duration-120 group-hover:text-ink max-[767px]:max-w-1/2">
        <span className="truncate"> {value}</span>
        <ChevronRight aria-hidden className="size-16 shrink-0 transition-transform duration-120 group-hover:translate-x-2" />
      </span>
    </button>
  );
}
