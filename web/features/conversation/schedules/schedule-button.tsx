import { Clock } from "lucide-react";
import { useState } from "react";
import { clearDraft, readDraft } from "#web/features/conversation/composer/drafts.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { ScheduleDialogProps } from "./schedule-dialog.tsx";

const ScheduleDialog = lazyPart<ScheduleDialogProps>(async () => (await import("./schedule-dialog.tsx")).ScheduleDialog);

type ScheduleButtonProps = {
  draftKey: string;
  chatId: string | null;
  /** Stands for the button where a menu opens the dialog. */
  folded?: { isOpen: boolean; onOpenChange: (open: boolean) => void };
};

/** Has the draft sent later, or again and again, instead of now. */
export function ScheduleButton({ draftKey, chatId, folded }: ScheduleButtonProps) {
  const [opened, setOpened] = useState<{ text: string; times: number } | null>(null);
  const [ownIsOpen, setOwnIsOpen] = useState(false);
  const [isOpen, setIsOpen] = folded ? [folded.isOpen, folded.onOpenChange] : [ownIsOpen, setOwnIsOpen];
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setOpened({ text: readDraft(draftKey), times: (opened?.times ?? 0) + 1 });
  }
  return (
    <>
      {!folded && <IconButton label="Schedule this" icon={Clock} aria-haspopup="dialog" onClick={() => setIsOpen(true)} />}
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
