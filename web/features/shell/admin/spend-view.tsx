import { ChevronLeft, ChevronRight, Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { downloadLedger } from "#shared/contracts/account/operation.ts";
import type { Spent } from "#shared/entities/operation.ts";
import { Credits } from "#web/ui/credits.tsx";
import { shareOf, usageDay } from "#web/features/conversation/credits/usage-chart.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { address } from "#web/lib/api.ts";
import { counted } from "#web/lib/format.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { monthBeside, monthName } from "./admin-labels.ts";
import { adminPath } from "./admin-view.ts";
import { Refusal } from "./refusal.tsx";
import { Section } from "./section.tsx";
import { useSpend } from "./use-admin.ts";

/** Models that the overview shows. */
const SHOWN = 7;

/** What this month's closed days cost by model. */
export function SpendByModel() {
  const spend = useSpend();
  const { data } = spend;
  return (
    <Section title="Spend by model" all={adminPath("spend")}>
      <Answer query={spend} what="What was spent">
        {data && <Bars rows={data.models.filter(({ cost }) => cost > 0).slice(0, SHOWN)} by="model" />}
      </Answer>
    </Section>
  );
}

/** What everybody spent in a month, by model and by day. */
export function SpendView() {
  const [thisMonth] = useState(() => new Date().toISOString().slice(0, 7));
  const [month, setMonth] = useState(thisMonth);
  const spend = useSpend(month);
  const { data } = spend;
  return (
    <div className="max-w-752 space-y-32">
      <div className="flex flex-wrap items-center gap-4">
        <IconButton icon={ChevronLeft} label="The month before" onClick={() => setMonth(monthBeside(month, -1))} />
        <p aria-live="polite" className="min-w-120 text-center text-14 font-medium text-ink">
          {monthName(month)}
        </p>
        <IconButton
          icon={ChevronRight}
          label="The month after"
          disabled={month >= thisMonth}
          onClick={() => setMonth(monthBeside(month, 1))}
        />
        {data && (
          <p className="ml-12 text-13 text-ink2 max-[767px]:ml-0">
            <Credits dollars={data.total} className="text-ink" /> on closed days of UTC
          </p>
        )}
        <a
          href={address(downloadLedger, { query: { month } })}
          download
          className="ml-auto inline-flex items-center gap-6 rounded-6 text-13 text-ink2 hover:text-ink touch:min-h-44"
        >
          <Download aria-hidden className="size-14" />
          Download CSV
        </a>
      </div>
      <Answer query={spend} what="What was spent">
        {data && (
          <>
            <Section title="By model">
              <Bars rows={data.models.filter(({ cost }) => cost > 0)} by="model" showsCalls />
            </Section>
            <Section title="By day">
              <Bars rows={data.days.filter(({ cost }) => cost > 0)} by="day" showsCalls />
            </Section>
          </>
        )}
      </Answer>
    </div>
  );
}

type AnswerProps = {
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown };
  /** What it answers, as a sentence begins with it. */
  what: string;
  children?: ReactNode;
};

/** What comes in one piece, in each of its states. */
export function Answer({ query: { data, error, isFetching, refetch }, what, children }: AnswerProps) {
  if (data !== undefined) return children;
  if (error) return <Refusal what={what} error={error} isBusy={isFetching} onRetry={() => void refetch()} />;
  return (
    <div aria-busy className="space-y-12 py-8">
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-12 w-2/3" />
      <Skeleton className="h-12 w-1/2" />
    </div>
  );
}

type BarsProps = { rows: Spent[]; by: "model" | "day"; showsCalls?: boolean };

function Bars({ rows, by, showsCalls = false }: BarsProps) {
  if (rows.length === 0) return <p className="py-8 text-13 text-ink2">Nothing was spent on this month's closed days.</p>;
  const most = Math.max(...rows.map(({ cost }) => cost));
  return (
    <ul className="grid grid-cols-[minmax(0,150px)_1fr_auto] gap-x-12">
      {rows.map(({ key, cost, calls }) => (
        <li key={key} className="col-span-3 grid min-h-32 grid-cols-subgrid items-center text-13">
          <span className="flex min-w-0 items-center gap-8 text-ink">
            {by === "model" ? <ModelLabel id={key} /> : <span className="truncate">{usageDay(key)}</span>}
          </span>
          <span aria-hidden className="h-6 rounded-full bg-s3">
            <span className="block h-6 min-w-2 rounded-full bg-accent" style={{ width: `${shareOf(cost, most)}%` }} />
          </span>
          <span className="text-right">
            <Credits dollars={cost} className="text-ink" />
            {showsCalls && <span className="ml-8 text-12 text-ink2">{counted(calls, "call")}</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ModelLabel({ id }: { id: string }) {
  const name = useModelName(id === "" ? null : id);
  const shown = id === "" ? "Tools and services" : name;
  return (
    <>
      <ModelTile id={id} name={shown} />
      <span className="min-w-0 truncate" title={shown}>
        {shown}
      </span>
    </>
  );
}
