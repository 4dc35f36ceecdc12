import { Suspense, lazy, useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { useSelectedModel } from "#web/features/conversation/models/use-selected-model.ts";
import { Button } from "#web/ui/button.tsx";

const OtherModelPicker = lazy(() => import("./other-model-picker.tsx"));

type SwitchModelButtonProps = { message: Message; isBusy: boolean; className: string; onAgain: (modelId: string) => void };

/** Where the model is the trouble: picks another one for the chat and has it answer in this place. */
export function SwitchModelButton({ message, isBusy, className, onAgain }: SwitchModelButtonProps) {
  const { select } = useSelectedModel(message.chat_id);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <Button
        size="sm"
        className={className}
        disabled={isBusy}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        Switch model
      </Button>
      {anchor && (
        <Suspense>
          <OtherModelPicker
            anchor={anchor}
            currentId={message.requested_model_id}
            onClose={close}
            onPick={(modelId) => {
              close();
              select(modelId);
              onAgain(modelId);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
