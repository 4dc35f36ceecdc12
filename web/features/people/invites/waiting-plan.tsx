import { PLANS } from "#shared/plans.ts";
import { describePlan } from "#shared/plan-descriptions.ts";
import { cx } from "#web/ui/cx.ts";
import { useInvites } from "./use-invites.ts";

/** Says that the plan of an invite waits for an administrator; nothing where none does. */
export function WaitingPlan({ className }: { className?: string }) {
  const plan = useInvites(true).data?.waiting_plan ?? null;
  if (plan === null) return null;
  return (
    <p role="status" className={cx("rounded-8 bg-s1 px-14 py-10 text-13 text-ink2", className)}>
      <span className="font-medium text-ink">Your {PLANS[plan].name.toLowerCase()} waits for an administrator's approval.</span>{" "}
      {describePlan(plan)}
    </p>
  );
}
