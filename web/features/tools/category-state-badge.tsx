import type { CategoryState } from "#shared/entities/tool-category.ts";
import { Badge } from "#web/ui/badge.tsx";

const WORDS: Record<Exclude<CategoryState, "ready">, string> = {
  changed: "Tools changed",
  needs_sign_in: "Needs sign-in",
  failing: "Failing",
  off: "Off",
};

/** How a category stands, where there is something to say of it. */
export function CategoryStateBadge({ state }: { state: CategoryState }) {
  if (state === "ready") return null;
  return <Badge tone={state === "off" ? "neutral" : "signal"}>{WORDS[state]}</Badge>;
}
