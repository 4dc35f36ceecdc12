import { Pause, Play, Square, Volume2 } from "lucide-react";
import { useEffect } from "react";
import type { Message } from "#shared/entities/message.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { readAloud, stopReading, togglePause, useReading } from "./reader.ts";

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
