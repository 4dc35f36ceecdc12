import type { ReactNode } from "react";
import { AUTO_MODEL_ID } from "#shared/models/model-ids.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { useModelName } from "#web/features/conversation/models/use-models.ts";

/** The line above an answer: its model, and what it is doing or how long it thought. */
export function TurnLine({ modelId, children }: { modelId: string | null; children?: ReactNode }) {
  const name = useModelName(modelId);
  return (
    <div className="flex min-h-28 items-center gap-x-8 text-13 max-[520px]:flex-wrap">
      <span className="inline-flex max-w-full min-w-0 items-center gap-8">
        <ModelTile id={modelId ?? AUTO_MODEL_ID} name={name} />
        <span className="truncate font-medium text-ink">{name}</span>
      </span>
      {children}
    </div>
  );
}

/** An answer that has not begun. */
export function ThinkingLine({ modelId, label }: { modelId: string | null; label?: string }) {
  return (
    <TurnLine modelId={modelId}>
      <span aria-hidden className="thinking-dot shrink-0 text-ink3" />
      {label && <span className="truncate text-ink3">{label}</span>}
    </TurnLine>
  );
}
