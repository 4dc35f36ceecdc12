import { Clock } from "lucide-react";
import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { SavedPrompt } from "./schedule-draft.ts";
import type { ScheduleDialogProps } from "./schedule-dialog.tsx";

const ScheduleDialog = lazyPart<ScheduleDialogProps>(async () => (await import("./schedule-dialog.tsx")).ScheduleDialog);

/** Has a saved prompt, or all steps of a workflow, sent by itself. */
export function SchedulePrompt({ prompt: { id, name } }: { prompt: SavedPrompt }) {
  const [times, setTimes] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        size="sm"
        variant="quiet"
        aria-label="Run on a schedule"
        aria-haspopup="dialog"
        onClick={() => {
          setTimes(times + 1);
          setIsOpen(true);
        }}
      >
        <Clock aria-hidden className="size-16" />
        Schedule
      </Button>
      {times > 0 && <ScheduleDialog key={times} open={isOpen} onOpenChange={setIsOpen} prompt={{ id, name }} />}
    </>
  );
}
