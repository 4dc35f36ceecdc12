import { CircleAlert, X } from "lucide-react";
import { IconButton } from "#web/ui/icon-button.tsx";
import { remedyFor } from "./send-failure.ts";
import type { Refusal } from "./use-send-message.ts";
import { RemedyAction } from "./remedy-action.tsx";

/** Why the text is back in the composer, with the one thing to do about it. */
export function RefusalNotice({ refusal, onDismiss }: { refusal: Refusal; onDismiss: () => void }) {
  return (
    <div role="alert" className="mx-12 mb-8 flex items-center gap-10 rounded-12 bg-danger-soft py-6 pr-6 pl-14 text-13 text-ink desk:mx-20">
      <CircleAlert aria-hidden className="size-16 text-danger" />
      <p className="min-w-0 flex-1 py-6">{refusal.message}</p>
      <RemedyAction remedy={remedyFor(refusal.code)} modelId={refusal.modelId} />
      <IconButton label="Dismiss" icon={X} size="sm" tooltip={false} onClick={onDismiss} />
    </div>
  );
}
