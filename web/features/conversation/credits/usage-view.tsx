import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { downloadUsage, getUsage, type UsageBy, type UsageRow } from "#shared/contracts/account/usage.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { isKnownTool, presenterOf } from "#web/features/conversation/tools/presenters/registry.ts";
import { address, call } from "#web/lib/api.ts";
import { keys } from "#web/lib/query.ts";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Tab, TabList, Tabs } from "#web/ui/tabs.tsx";
import { Credits } from "#web/ui/credits.tsx";
import { shareOf, dayOfMonth, LAST_DAYS, lastDays, usageDay } from "./usage-chart.ts";
import { TryAgain } from "#web/ui/try-again.tsx";
import { cx } from "#web/ui/cx.ts";
import { splitCredits } from "#web/lib/dollars.ts";

/** Rows the chart shows; the CSV has them all. */
const ROWS = 14;

/** Rows that its room is kept for, so nothing below moves as they come; the last of them offers the others. */
const ROWS_AT_FIRST = 7;

/** US dollars; what cost less than four decimals show says so. */
const LEAST_SHOWN = 0.0001;

/** What was spent: the balance, and a chart of the last days, or by model or chat. */
export function UsageView() {
  const [by, setBy] = useState<UsageBy>("day");
  const [showsAllRows, setShowsAllRows] = useState(false);
  const { data, isError, refetch } = useQuery({
    queryKey: [...keys.usage, by],
    queryFn: ({ signal }) => call(getUsage, { query: { by } }, { signal }),
  });
  return (
    <section aria-label="Usage">
      <div className="flex items-center justify-between gap-16">
        <p className="min-h-20 text-13 text-ink2">
          {data ? (
            <>
              <Credits dollars={data.credits} className="text-ink" /> left, <Credits dollars={data.total} /> spent.
            </>
          ) : (
            !isError && <Skeleton className="inline-block h-12 w-160 align-middle" />
          )}
        </p>
        <a
          href={address(downloadUsage, {})}
          download
          className="inline-flex items-center gap-6 rounded-6 text-13 text-ink2 hover:text-ink touch:min-h-44"
        >
          <Download aria-hidden className="size-14" />
          Download CSV
        </a>
      </div>
      <Tabs
        value={by}
        onValueChange={(next) => {
          setBy(toUsageBy(next));
          setShowsAllRows(false);
        }}
        className="mt-8"
      >
        <TabList label="Group usage" className="flex border-b border-line">
          <Tab value="day">By day</Tab>
          <Tab value="model">By model</Tab>
          <Tab value="chat">By chat</Tab>
        </TabList>
      </Tabs>
      <div className="mt-12 min-h-164 touch:min-h-188" aria-busy={!data && !isError}>
        {isError ? (
          <div className="flex items-center gap-12 text-13 text-ink2">
            The usage could not be loaded.
            <TryAgain onClick={() => void refetch()} />
          </div>
        ) : data && by === "day" && data.usage.length > 0 ? (
          <DayBars rows={data.usage} />
        ) : data ? (
          <UsageChart
            by={by}
            rows={data.usage.filter(({ cost }) => cost > 0).slice(0, ROWS)}
            showsAllRows={showsAllRows}
            onWhole={() => setShowsAllRows(!showsAllRows)}
          />
        ) : (
          <ChartSkeleton />
        )}
      </div>
    </section>
  );
}

function toUsageBy(value: string): UsageBy {
  return value === "model" || value === "chat" ? value : "day";
}

function ChartSkeleton() {
  return (
    <div aria-hidden className="space-y-12 py-4">
      {["w-full", "w-5/6", "w-3/4", "w-2/3", "w-1/2", "w-1/3", "w-1/4"].map((width) => (
        <Skeleton key={width} className={`h-12 ${width}`} />
      ))}
    </div>
  );
}

type UsageChartProps = { by: UsageBy; rows: UsageRow[]; showsAllRows: boolean; onWhole: () => void };

function UsageChart({ by, rows, showsAllRows, onWhole }: UsageChartProps) {
  const most = Math.max(...rows.map(({ cost }) => cost), 0);
  if (rows.length === 0) return <p className="text-13 text-ink2">Nothing spent yet.</p>;
  const shown = showsAllRows || rows.length <= ROWS_AT_FIRST ? rows : rows.slice(0, ROWS_AT_FIRST - 1);
  // One grid for all rows, so the bars have one scale however many digits an amount has.
  return (
    <>
      <ul className="grid grid-cols-[minmax(0,140px)_1fr_auto] gap-x-12 gap-y-4">
        {shown.map((row) => (
          <li key={row.key} className="col-span-3 grid grid-cols-subgrid items-center text-13">
            <span className="truncate text-ink2">
              <UsageLabel by={by} row={row} />
            </span>
            <span aria-hidden className="h-8 rounded-full bg-s3">
              <span className="block h-8 min-w-2 rounded-full bg-accent" style={{ width: `${shareOf(row.cost, most)}%` }} />
            </span>
            {row.cost < LEAST_SHOWN ? (
              <span className="text-right text-ink tabular-nums">&lt;$0.0001</span>
            ) : (
              <Credits dollars={row.cost} className="text-right text-ink" />
            )}
          </li>
        ))}
      </ul>
      {rows.length > ROWS_AT_FIRST && (
        <button
          type="button"
          aria-expanded={showsAllRows}
          onClick={onWhole}
          className="mt-4 flex h-20 items-center rounded-6 text-13 text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink touch:h-44"
        >
          {showsAllRows ? "Show fewer" : `Show ${rows.length - shown.length} more`}
        </button>
      )}
    </>
  );
}

function UsageLabel({ by, row }: { by: UsageBy; row: UsageRow }) {
  const modelName = useModelName(by === "model" ? row.key : null);
  // Tools of services that charge stand among the models.
  if (by === "model") return isKnownTool(row.key) ? presenterOf(row.key).name : modelName;
  if (row.label === "") return "A deleted chat";
  return (
    <Link to={`/c/${row.key}`} className="hover:text-ink hover:underline" title={row.label}>
      {row.label}
    </Link>
  );
}

/** What each of the last days cost, a bar a day; the day pointed at is shown below, else the costliest. */
function DayBars({ rows }: { rows: readonly UsageRow[] }) {
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
