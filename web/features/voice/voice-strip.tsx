import { useKeyed } from "#web/features/chat/keyed-store.ts";
import { Button } from "#web/ui/button.tsx";
import { dictations } from "./dictation.ts";

/** Says that the microphone is on, with the two ways to end it; neither sends. */
export function VoiceStrip({ draftKey }: { draftKey: string }) {
  const dictation = useKeyed(dictations, draftKey);
  if (!dictation) return null;
  return (
    <div className="mx-9 mb-8 flex min-h-36 items-center gap-8 rounded-12 bg-accent-soft py-2 pr-4 pl-12 text-13 text-accent-soft-ink touch:min-h-44">
      <span aria-hidden className="size-8 shrink-0 rounded-full bg-danger motion-safe:animate-pulse" />
      <p role="status" className="min-w-0 flex-1">
        Listening
      </p>
      <Button size="sm" variant="quiet" onClick={dictation.cancel}>
        Discard
      </Button>
      <Button size="sm" onClick={dictation.confirm}>
        Done
      </Button>
    </div>
  );
}
