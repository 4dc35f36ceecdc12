import type { ReactNode } from "react";
import { useModelName } from "#web/features/models/use-models.ts";
import { Monogram } from "#web/ui/monogram.tsx";

/** The line above an answer: its model, and what it is doing or how long it thought. */
export function TurnLine({ modelId, children }: { modelId: string | null; children?: ReactNode }) {
  const name = useModelName(modelId);
  return (
    <div className="flex min-h-28 items-center gap-8 text-13">
      <Monogram name={name} />
      <span className="truncate font-medium text-ink">{name}</span>
      {children}
    </div>
  );
}
