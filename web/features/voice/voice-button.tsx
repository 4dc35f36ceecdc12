import { Mic } from "lucide-react";
import { type MouseEvent, useEffect } from "react";
import { useKeyed } from "#web/features/chat/keyed-store.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { dictations, startDictation } from "./dictation.ts";
import { canRecognize } from "./recognition.ts";

/** Starts and ends writing by voice; absent where the browser cannot do it. */
export function VoiceButton({ draftKey }: { draftKey: string }) {
  const dictation = useKeyed(dictations, draftKey);
  // Who leaves the chat has stopped speaking to it.
  useEffect(() => () => dictations.get(draftKey)?.confirm(), [draftKey]);
  if (!canRecognize()) return null;
  const toggle = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (dictation) return dictation.confirm();
    const field = currentTarget.closest("[data-composer]")?.querySelector("textarea");
    const end = field?.selectionEnd ?? Number.MAX_SAFE_INTEGER;
    return startDictation(draftKey, { start: field?.selectionStart ?? end, end });
  };
  return (
    <IconButton
      label="Voice input"
      icon={Mic}
      aria-pressed={dictation !== null}
      onClick={toggle}
      className={dictation ? "ml-auto bg-accent-soft text-accent-soft-ink" : "ml-auto"}
    />
  );
}
