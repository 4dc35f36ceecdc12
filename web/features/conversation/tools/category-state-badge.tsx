import type { CategoryState } from "#shared/entities/tool-category.ts";
import { Badge } from "#web/ui/badge.tsx";

const STATE_LABELS: Record<Exclude<CategoryState, "ready">, string> = {
  changed: "Tools changed",
  needs_sign_in: "Needs sign-in",
  failing: "Failing",
  off: "Off",
  needs_account: "Sign in",
  unconnected: "Not connected",
  unindexed: "Not indexed",
};

const LOUD: ReadonlySet<CategoryState> = new Set(["changed", "needs_sign_in", "failing"]);

/** How a category stands, where there is something to say of it. */
export function CategoryStateBadge({ state }: { state: CategoryState }) {
  if (state === "ready") return null;
  return <Badge tone={LOUD.has(state) ? "signal" : "neutral"}>{STATE_LABELS[state]}</Badge>;
}
