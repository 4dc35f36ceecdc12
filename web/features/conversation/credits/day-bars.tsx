import { useState } from "react";
import type { UsageRow } from "#shared/contracts/account/usage.ts";
import { cx } from "#web/ui/cx.ts";
import { splitCredits } from "#web/lib/dollars.ts";
import { dayOfMonth, LAST_DAYS, lastDays, shareOf, usageDay } from "./usage-chart.ts";

/** What each of the last days cost, a bar a day; the day pointed at is shown below, else the costliest. */
export function DayBars({ rows }: { rows: readonly UsageRow[] }) {
  const [now] = useState(() => Date.now());
  const [pointed, setPointed] = useState<string | null>(null);
  const days = lastDays(rows, now);
  const most = Math.max(...days.map(({ cost }) => cost));
  const shown = days.find(({ key }) => key === pointed) ?? days.find(({ cost }) => cost === most && cost > 0);
  return (
    <>
      <ol aria-label={`The last ${LAST_DAYS} days`} className="flex h-128 items-stretch" onPointerLeave={() => setPointed(null)}>
        {days.map(({ key, cost }) => (
          <li key={key} aria-hidden={cost === 0} className="group/day flex flex-1 items-end px-1" onPointerEnter={() => setPointed(key)}>
            <span className="sr-only">{dayLabel({ key, cost })}</span>
            <span
              aria-hidden
              className={cx("w-full rounded-t-4", cost > 0 ? "min-h-2 bg-accent group-hover/day:bg-accent-hover" : "h-2 bg-s3")}
              style={cost > 0 ? { height: `${shareOf(cost, most)}%` } : undefined}
            />
          </li>
        ))}
      </ol>
      <p aria-hidden className="mt-4 flex justify-between gap-12 border-t border-line pt-4 text-12 text-ink2 tabular-nums">
        <span>{dayOfMonth(days[0]?.key ?? "")}</span>
        <span className="text-ink">{shown ? dayLabel(shown) : `Nothing in the last ${LAST_DAYS} days`}</span>
        <span>Today</span>
      </p>
    </>
  );
}

function dayLabel({ key, cost }: { key: string; cost: number }): string {
  const { main, extra } = splitCredits(cost);
  return `${usageDay(key)}: ${cost > 0 && main + extra === "$0.00" ? "<$0.0001" : main + extra}`;
}
