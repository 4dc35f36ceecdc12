import { EyeOff } from "lucide-react";
import { openModelSelector } from "#web/features/models/selector-store.ts";
import { Button } from "#web/ui/button.tsx";

/** Says before sending that the chosen model cannot take what is attached. */
export function VisionNotice({ modelName }: { modelName: string }) {
  return (
    <div role="alert" className="mb-10 flex items-center gap-10 rounded-12 bg-signal-soft py-6 pr-6 pl-12 text-13 text-ink">
      <EyeOff aria-hidden className="size-16 shrink-0 text-signal-ink" />
      <p className="min-w-0 flex-1 py-4">{modelName} cannot see pictures. Pick a model with vision, or remove them.</p>
      <Button size="sm" onClick={openModelSelector}>
        Switch model
      </Button>
    </div>
  );
}
