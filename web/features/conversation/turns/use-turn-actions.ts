import { useCallback, useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { goOn, regenerate } from "#web/features/conversation/sending/change-turn.ts";
import { useNotifyFailure } from "#web/features/conversation/sending/use-notify-failure.ts";

/** What can be asked of an answer: another one, or its rest. A failure is reported and changes nothing. */
export function useTurnActions(message: Message) {
  const notifyFailure = useNotifyFailure();
  const [isContinuing, setIsContinuing] = useState(false);

  const again = useCallback(
    (modelId: string | null) => {
      regenerate(message, modelId).catch((error: unknown) =>
        notifyFailure("Failed to regenerate", error, modelId ?? message.requested_model_id),
      );
    },
    [message, notifyFailure],
  );
  const proceed = useCallback(async () => {
    setIsContinuing(true);
    try {
      await goOn(message);
    } catch (error) {
      notifyFailure("Failed to continue", error, message.requested_model_id);
    } finally {
      setIsContinuing(false);
    }
  }, [message, notifyFailure]);
  return { again, proceed, isContinuing };
}
