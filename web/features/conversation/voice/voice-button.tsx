import { Mic } from "lucide-react";
import { type MouseEvent, useEffect } from "react";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { isServiceDown, startDictation } from "./dictation.ts";
import { canRecognize } from "./recognition.ts";
import { canRecord } from "./recorder.ts";
import { startRecording } from "./recording.ts";
import { type Place, voices } from "./voices.ts";

type VoiceButtonProps = {
  draftKey: string;
  /** A guest wants what only accounts have. */
  onSignIn: () => void;
};

/** Starts and ends writing by voice, by the browser's own recognition or by a recording that the server writes down; absent where there is neither. */
export function VoiceButton({ draftKey, onSignIn }: VoiceButtonProps) {
  const voice = useKeyed(voices, draftKey);
  const { user, features, isGuest } = useSession();
  // Who leaves the chat has stopped speaking to it.
  useEffect(() => () => leave(draftKey), [draftKey]);
  const mayRecord = features?.transcription === true && canRecord();
  if (!canRecognize() && !mayRecord) return null;

  const record = mayRecord && user && !isGuest ? (place: Place) => void startRecording(draftKey, place, user.id) : null;
  const toggle = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (voice) return confirm(draftKey);
    const field = currentTarget.closest("[data-composer]")?.querySelector("textarea");
    const end = field?.selectionEnd ?? Number.MAX_SAFE_INTEGER;
    const place = { start: field?.selectionStart ?? end, end };
    if (canRecognize() && !(record && isServiceDown())) return startDictation(draftKey, place, record);
    return record ? record(place) : onSignIn();
  };
  const isHearing = voice?.kind === "listening" || voice?.kind === "recording";
  return (
    <IconButton
      label="Voice input"
      icon={Mic}
      aria-pressed={isHearing}
      disabled={voice !== null && !isHearing}
      onClick={toggle}
      // As large to the eye as the button that sends, as large to a finger as any.
      className={
        isHearing
          ? "ml-auto bg-accent-soft text-accent-soft-ink touch:rounded-12 touch:bg-clip-content touch:p-4"
          : "ml-auto touch:max-[520px]:w-36!"
      }
    />
  );
}

function confirm(draftKey: string): void {
  const voice = voices.get(draftKey);
  if (voice?.kind === "listening" || voice?.kind === "recording") voice.confirm();
}

function leave(draftKey: string): void {
  const voice = voices.get(draftKey);
  if (voice?.kind === "opening") voice.cancel();
  confirm(draftKey);
}
