import { useState } from "react";
import { decidePlans, listPlans } from "#shared/contracts/account/operation.ts";
import type { WaitingPlan } from "#shared/entities/invite.ts";
import { PLANS, planOf } from "#shared/plans.ts";
import { call } from "#web/lib/api.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { dollars } from "./admin-labels.ts";
import { PagedList } from "./paged-list.tsx";
import { useAdminAction, usePages } from "./use-admin.ts";

type Decision = { plan: WaitingPlan; decision: "approve" | "refuse" };

/** Plans that came by an invite and wait for a decision, the longest-waiting first. */
export function PlansView() {
  const list = usePages(["plans"], async (page, signal) => {
    const { plans, nextCursor } = await call(listPlans, { query: page }, { signal });
    return { rows: plans, nextCursor };
  });
  const [refused, setRefused] = useState<WaitingPlan | null>(null);
  const [isOpen, setOpen] = useState(false);
  const decide = useAdminAction(({ plan, decision }: Decision) => call(decidePlans, { params: { id: plan.user_id }, body: { decision } }), {
    done: ({ plan, decision }) => `The plan of ${plan.display_name} is ${decision === "approve" ? "approved" : "refused"}`,
    failed: "That could not be decided",
  });
  return (
    <div className="max-w-752">
      <PagedList list={list} what="The plans that wait" empty="No plan waits for approval.">
        {(plans) => (
          <ul aria-label="Plans that wait" className="border-t border-line">
            {plans.map((plan) => (
              <li key={plan.invite_id} className="flex flex-wrap items-center gap-x-16 gap-y-8 border-b border-line py-10 text-13">
                <div className="min-w-0 flex-1 basis-240">
                  <p className="flex min-w-0 flex-wrap items-center gap-8">
                    <span className="min-w-0 truncate font-medium text-ink">{plan.display_name}</span>
                    <span className="min-w-0 truncate text-ink2">{plan.email}</span>
                    <Badge tone={plan.team_plan ? "accent" : "neutral"}>{PLANS[planOf(plan)].name}</Badge>
                  </p>
                  <p className="mt-2 text-ink2">
                    invited by {plan.invited_by}, {dollars(plan.credits)} given, waits since{" "}
                    <time dateTime={plan.used_at} title={fullTime(plan.used_at)}>
                      {rowTime(plan.used_at)}
                    </time>
                  </p>
                </div>
                <span className="flex gap-8">
                  <Button
                    size="sm"
                    aria-label={`Refuse the plan of ${plan.display_name}`}
                    onClick={() => {
                      setRefused(plan);
                      setOpen(true);
                    }}
                  >
                    Refuse
                  </Button>
                  <Button
                    size="sm"
                    variant="primary"
                    busy={decide.isPending && decide.variables.plan.invite_id === plan.invite_id}
                    aria-label={`Approve the plan of ${plan.display_name}`}
                    onClick={() => decide.mutate({ plan, decision: "approve" })}
                  >
                    Approve
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      {refused && (
        <ConfirmDialog
          open={isOpen}
          onOpenChange={setOpen}
          title={`Refuse the plan of ${refused.display_name}?`}
          confirm="Refuse"
          busy={decide.isPending}
          onConfirm={() => decide.mutate({ plan: refused, decision: "refuse" }, { onSuccess: () => setOpen(false) })}
        >
          Their account and their credits stay as they are.
        </ConfirmDialog>
      )}
    </div>
  );
}
