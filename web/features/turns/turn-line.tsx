import type { ReactNode } from "react";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { ModelTile } from "#web/features/models/model-tile.tsx";
import { useModelName } from "#web/features/models/use-models.ts";

/** The line above an answer: its model, and what it is doing or how long it thought. */
export function TurnLine({ modelId, children }: { modelId: string | null; children?: ReactNode }) {
  const name = useModelName(modelId);
  return (
    <div className="flex min-h-28 items-center gap-8 text-13">
      <ModelTile id={modelId ?? AUTO_MODEL_ID} name={name} />
      <span className="truncate font-medium text-ink">{name}</span>
      {children}
    </div>
  );
}
