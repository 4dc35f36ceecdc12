import { TurnLine } from "./turn-line.tsx";

/** An answer that has not begun. */
export function ThinkingLine({ modelId, label }: { modelId: string | null; label?: string }) {
  return (
    <TurnLine modelId={modelId}>
      <span aria-hidden className="thinking-dot shrink-0 text-ink3" />
      {label && <span className="truncate text-ink3">{label}</span>}
    </TurnLine>
  );
}
