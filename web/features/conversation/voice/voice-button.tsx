import { Mic } from "lucide-react";
import { type MouseEvent, useEffect } from "react";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { canRecognize, explain, openRecognition } from "./recognition.ts";
import { canRecord } from "./recorder.ts";
import { startRecording } from "./recording.ts";
import { type Place, voices, insertSpoken } from "./voices.ts";

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

/** Failures of the browser's own service, which another way of hearing may not have. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set(["network", "service-not-allowed", "language-not-supported"]);

let hasFailed = false;

/** True once the browser's own service failed on this page: it would fail again. */
function isServiceDown(): boolean {
  return hasFailed;
}

/** Writes what is said into a draft at the cursor, as it is heard; where the browser's service fails, `goOn` takes over, if it is there. */
function startDictation(draftKey: string, { start, end }: Place, goOn: ((place: Place) => void) | null): void {
  const recognition = openRecognition();
  if (!recognition || voices.get(draftKey)) return;
  const original = readDraft(draftKey);
  let [before, after] = [original.slice(0, start), original.slice(end)];
  let written = original;
  let results = 0;
  /** Results before this one belong to a text that was changed by hand since. */
  let first = 0;

  const finish = () => {
    recognition.onresult = null;
    recognition.onend = null;
    recognition.onerror = null;
    voices.set(draftKey, null);
  };
  recognition.onresult = (event) => {
    const now = readDraft(draftKey);
    if (now === "" && written !== "") {
      // It was sent.
      finish();
      return recognition.abort();
    }
    if (now !== written) {
      [before, after] = [now, ""];
      first = results;
    }
    results = event.results.length;
    const spoken = Array.from(event.results)
      .slice(first)
      .map((result) => result[0]?.transcript ?? "")
      .join("");
    written = insertSpoken(before, spoken, after);
    writeDraft(draftKey, written);
  };
  recognition.onerror = ({ error }) => {
    if (goOn && OF_THE_SERVICE.has(error)) {
      finish();
      recognition.abort();
      hasFailed = true;
      const at = written.length - after.length;
      return goOn(written === original ? { start, end } : { start: at, end: at });
    }
    const notice = explain(error);
    if (notice) toast({ ...notice, tone: "danger" });
  };
  recognition.onend = finish;
  voices.set(draftKey, {
    kind: "listening",
    // What is still on its way to being heard arrives before the end.
    confirm: () => recognition.stop(),
    cancel: () => {
      finish();
      recognition.abort();
      writeDraft(draftKey, original);
    },
  });
  try {
    recognition.start();
  } catch {
    finish();
    toast({ title: "Voice input could not begin", description: "Another page may be using it.", tone: "danger" });
  }
}
