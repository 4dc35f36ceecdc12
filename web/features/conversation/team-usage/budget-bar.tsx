import { shareOf } from "#web/features/conversation/credits/usage-chart.ts";
import { cx } from "#web/ui/cx.ts";
import { budgetState } from "./usage-text.ts";

/** How much of a budget is used, beside the words that say so. */
export function BudgetBar({ spent, budget, className }: { spent: number; budget: number; className?: string }) {
  const isWarning = budgetState({ spent, budget }) !== "fine";
  return (
    <div aria-hidden className={cx("h-8 rounded-full bg-s3", className)}>
      <div
        className={cx("h-8 min-w-2 rounded-full", isWarning ? "bg-danger" : "bg-accent")}
        style={{ width: `${budget <= 0 ? 100 : Math.min(100, shareOf(spent, budget))}%` }}
      />
    </div>
  );
}
