import { Pause, Play, Square, Volume2 } from "lucide-react";
import { useEffect, useSyncExternalStore } from "react";
import type { Message } from "#shared/entities/message.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { createStore } from "#web/lib/store.ts";
import { guessLanguage, toSpeechChunks } from "./speakable.ts";

/** Reads an answer aloud by the browser's own voice; while it does, it can be paused and stopped. */
export default function ReadAloudButton({ message: { id, content } }: { message: Pick<Message, "id" | "content"> }) {
  const reading = useReading(id);
  useEffect(() => () => stopReading(id), [id]);
  return (
    <span className="inline-flex items-center">
      <IconButton
        label={!reading ? "Read aloud" : reading.isPaused ? "Resume reading" : "Pause reading"}
        icon={!reading ? Volume2 : reading.isPaused ? Play : Pause}
        onClick={() => (reading ? togglePause() : readAloud(id, content))}
      />
      {reading && <IconButton label="Stop reading" icon={Square} onClick={() => stopReading(id)} />}
    </span>
  );
}

/** What is read aloud right now, by its message's id; one at a time. */
type Reading = { messageId: string; isPaused: boolean };

const reading = createStore<Reading | null>(null);
/** Counts readings, as an utterance that was called off may report its end late. */
let turn = 0;

/** Reads a message from its start; what was being read ends. */
function readAloud(messageId: string, markdown: string): void {
  speechSynthesis.cancel();
  const chunks = toSpeechChunks(markdown);
  if (chunks.length === 0) return reading.set(null);
  const own = (turn += 1);
  const language = guessLanguage(chunks.join(" "), navigator.language);
  for (const [index, piece] of chunks.entries()) {
    const utterance = new SpeechSynthesisUtterance(piece);
    utterance.lang = language;
    const end = () => own === turn && reading.set(null);
    if (index === chunks.length - 1) utterance.addEventListener("end", end);
    utterance.addEventListener("error", ({ error }) => {
      // Called off is what 'Stop' and the next reading do.
      if (error !== "canceled" && error !== "interrupted") end();
    });
    speechSynthesis.speak(utterance);
  }
  speechSynthesis.resume();
  return reading.set({ messageId, isPaused: false });
}

/** Pauses what is read, or goes on with it. */
function togglePause(): void {
  const now = reading.get();
  if (!now) return;
  if (now.isPaused) speechSynthesis.resume();
  else speechSynthesis.pause();
  reading.set({ ...now, isPaused: !now.isPaused });
}

/** Ends what is read; of one message where its id is given. */
function stopReading(messageId?: string): void {
  const now = reading.get();
  if (!now || (messageId !== undefined && now.messageId !== messageId)) return;
  speechSynthesis.cancel();
  reading.set(null);
}

/** How this message is read right now; null where it is not. */
function useReading(messageId: string): Reading | null {
  return useSyncExternalStore(reading.subscribe, () => {
    const now = reading.get();
    return now?.messageId === messageId ? now : null;
  });
}

// A page that is left would go on speaking.
addEventListener("pagehide", () => stopReading());
