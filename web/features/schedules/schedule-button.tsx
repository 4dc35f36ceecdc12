import { Clock } from "lucide-react";
import { useState } from "react";
import { clearDraft, readDraft } from "#web/features/composer/drafts.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { ScheduleDialogProps } from "./schedule-dialog.tsx";

const ScheduleDialog = lazyPart<ScheduleDialogProps>(async () => (await import("./schedule-dialog.tsx")).ScheduleDialog);

type ScheduleButtonProps = { draftKey: string; chatId: string | null };

/** Has the draft sent later, or again and again, instead of now. */
export function ScheduleButton({ draftKey, chatId }: ScheduleButtonProps) {
  const [opened, setOpened] = useState<{ text: string; times: number } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        label="Schedule this"
        icon={Clock}
        aria-haspopup="dialog"
        // A narrow composer has no room for it; the page of schedules makes new ones too.
        className="max-[1023px]:hidden"
        onClick={() => {
          setOpened({ text: readDraft(draftKey), times: (opened?.times ?? 0) + 1 });
          setIsOpen(true);
        }}
      />
      {opened && (
        <ScheduleDialog
          key={opened.times}
          open={isOpen}
          onOpenChange={setIsOpen}
          text={opened.text}
          chatId={chatId}
          onSaved={() => clearDraft(draftKey)}
        />
      )}
    </>
  );
}
