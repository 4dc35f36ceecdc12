import { Route } from "lucide-react";
import type { Autopilot } from "#shared/entities/autopilot.ts";
import { useCategories } from "#web/features/conversation/tools/use-categories.ts";

export type AutopilotLineProps = { autopilot: Autopilot };

/** What Autopilot chose for an answer and why; the model itself is named above. */
export function AutopilotLine({ autopilot: { reason, tool_categories: ids } }: AutopilotLineProps) {
  const names = useCategories()
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name);
  return (
    <p className="flex min-h-20 items-start gap-6 text-13 text-ink3">
      <Route aria-hidden className="mt-3 size-14 shrink-0" />
      <span className="min-w-0">{`Autopilot: ${reason}. ${names.length === 0 ? "No tools" : `Tools: ${names.join(", ")}`}`}</span>
    </p>
  );
}
