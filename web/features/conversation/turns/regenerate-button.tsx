import { ChevronDown, RefreshCw } from "lucide-react";
import { Suspense, lazy, useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { IconButton } from "#web/ui/icon-button.tsx";

const OtherModelPicker = lazy(() => import("./other-model-picker.tsx"));

type RegenerateButtonProps = { message: Message; isBusy: boolean; onAgain: (modelId: string | null) => void };

/** Answers again with the same model; beside it, with another one. */
export function RegenerateButton({ message, isBusy, onAgain }: RegenerateButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isOpen = anchor !== null;
  const close = () => setAnchor(null);
  return (
    <span className="inline-flex items-center">
      <IconButton label="Regenerate" icon={RefreshCw} disabled={isBusy} onClick={() => onAgain(null)} />
      <IconButton
        label="Answer with another model"
        icon={ChevronDown}
        disabled={isBusy}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="w-24 [&_svg]:size-14 touch:w-44"
        onClick={(event) => setAnchor(isOpen ? null : event.currentTarget)}
      />
      {anchor && (
        <Suspense>
          <OtherModelPicker
            anchor={anchor}
            currentId={message.model_id}
            onClose={close}
            onPick={(modelId) => {
              close();
              onAgain(modelId);
            }}
          />
        </Suspense>
      )}
    </span>
  );
}
