import type { ReactNode } from "react";
import { shareOf } from "#web/features/conversation/credits/usage-chart.ts";
import { dollars, shortNumber } from "./usage-text.ts";

export type UsageLine = { key: string; label: ReactNode; cost: number; calls: number; tokens: number; control?: ReactNode };

/** What was spent under each of several names, with bars of one scale; `controls` names what stands at the rows' ends. */
export function UsageRows({ lines, label, controls }: { lines: readonly UsageLine[]; label: string; controls?: string }) {
  const most = Math.max(...lines.map(({ cost }) => cost), 0);
  return (
    <>
      {controls && (
        <p aria-hidden className="pt-8 text-right text-12 text-ink2">
          {controls}
        </p>
      )}
      <ul aria-label={label} className="divide-y divide-line">
        {lines.map(({ key, label: name, cost, calls, tokens, control }) => (
          <li key={key} className="flex min-h-48 items-center gap-12 py-6">
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline gap-8 text-13">
                <span className="min-w-0 flex-1 truncate text-ink">{name}</span>
                <span className="shrink-0 text-12 text-ink2 tabular-nums max-[479px]:hidden">
                  {`${shortNumber(calls)} ${calls === 1 ? "call" : "calls"}, ${shortNumber(tokens)} tokens`}
                </span>
                <span className="w-64 shrink-0 text-right text-ink tabular-nums">{dollars(cost)}</span>
              </p>
              <span aria-hidden className="mt-5 block h-6 rounded-full bg-s3">
                <span className="block h-6 rounded-full bg-accent" style={{ width: `${shareOf(cost, most)}%` }} />
              </span>
            </div>
            {control}
          </li>
        ))}
      </ul>
    </>
  );
}
