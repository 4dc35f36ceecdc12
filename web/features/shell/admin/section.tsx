import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "#web/ui/link.tsx";

type SectionProps = {
  title: string;
  /** How many, beside the title. */
  count?: string | undefined;
  /** What stands at the right of the title. */
  aside?: ReactNode;
  /** Where all of it is shown. */
  all?: string;
  children: ReactNode;
};

/** A part of administration under its title. */
export function Section({ title, count, aside, all, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="flex min-h-36 flex-wrap items-center justify-between gap-x-16 gap-y-4">
        <h2 id={id} className="text-14 font-medium text-ink">
          {title}
          {count !== undefined && <span className="ml-8 text-12 font-normal text-ink2 tabular-nums">{count}</span>}
        </h2>
        {aside}
        {all !== undefined && (
          <Link
            to={all}
            aria-label={`Show all: ${title}`}
            className="inline-flex h-32 items-center gap-4 rounded-6 text-13 text-ink2 hover:text-ink touch:h-44"
          >
            Show all
            <ChevronRight aria-hidden className="size-14" />
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}
