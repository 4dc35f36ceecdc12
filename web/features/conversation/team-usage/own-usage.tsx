import { BudgetBar } from "./budget-bar.tsx";
import { ownSpendText } from "./usage-text.ts";
import { useOwnTeamUsage } from "./use-team-usage.ts";

/** What the person spent in a team this month, and of what budget. */
export function OwnUsage({ teamId }: { teamId: string }) {
  const usage = useOwnTeamUsage(teamId);
  return (
    <div className="min-h-20 text-13 text-ink2">
      {usage && (
        <>
          <p className="tabular-nums">{ownSpendText(usage)}.</p>
          {usage.budget !== null && <BudgetBar spent={usage.spent} budget={usage.budget} className="mt-6 max-w-320" />}
        </>
      )}
    </div>
  );
}
