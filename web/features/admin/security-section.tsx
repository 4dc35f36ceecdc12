import type { SecurityCount } from "#shared/entities/operation.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { SECURITY_WORDS } from "./admin-words.ts";
import { Section } from "./section.tsx";

/** How often somebody got in, and how often somebody tried what they may not. */
export function SecuritySection({ counts }: { counts: SecurityCount[] | undefined }) {
  return (
    <Section title="Security" count="today, and in 7 days">
      {!counts && <Skeleton className="my-8 h-12 w-2/3" />}
      {counts?.length === 0 && <p className="py-8 text-13 text-ink2">Nothing happened in the last seven days.</p>}
      {counts && counts.length > 0 && (
        <dl className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-16 text-13">
          {counts.map(({ kind, today, week }) => (
            <div key={kind} className="col-span-3 grid min-h-32 grid-cols-subgrid items-center border-b border-line text-ink">
              <dt>{SECURITY_WORDS[kind]}</dt>
              <dd className="text-right tabular-nums">
                {today.toLocaleString("en")}
                <span className="sr-only"> today</span>
              </dd>
              <dd className="min-w-32 text-right text-ink2 tabular-nums">
                {week.toLocaleString("en")}
                <span className="sr-only"> in 7 days</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}
