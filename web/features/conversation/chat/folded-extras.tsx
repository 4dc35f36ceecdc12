import { BookOpen, Clock, Ellipsis, SquareSlash } from "lucide-react";
import { useState } from "react";
import { KnowledgePicker } from "#web/features/conversation/knowledge-use/knowledge-picker.tsx";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { togglePromptList } from "#web/features/conversation/composer/prompt-use-store.ts";
import { ScheduleButton } from "#web/features/conversation/schedules/schedule-button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Menu, MenuItem } from "#web/ui/menu/menu.tsx";

type FoldedExtrasProps = { chatId: string | null; draftKey: string };

/** What a narrow composer has no room for, behind one button. */
export function FoldedExtras({ chatId, draftKey }: FoldedExtrasProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState<"knowledge" | "schedule" | null>(null);
  const { entries } = useKnowledge();
  const opening = (what: "knowledge" | "schedule") => ({
    isOpen: open === what,
    onOpenChange: (next: boolean) => setOpen(next ? what : null),
  });
  return (
    <>
      <Menu
        label="More for this message"
        side="top"
        align="start"
        trigger={<IconButton ref={setAnchor} label="More" icon={Ellipsis} className="max-[520px]:w-32!" />}
      >
        {entries.length > 0 && (
          <MenuItem icon={BookOpen} onClick={() => setOpen("knowledge")}>
            Add knowledge
          </MenuItem>
        )}
        <MenuItem icon={SquareSlash} onClick={() => togglePromptList(draftKey)}>
          Use a prompt
        </MenuItem>
        <MenuItem icon={Clock} onClick={() => setOpen("schedule")}>
          Schedule this
        </MenuItem>
      </Menu>
      <KnowledgePicker chatId={chatId} folded={{ anchor, ...opening("knowledge") }} />
      <ScheduleButton draftKey={draftKey} chatId={chatId} folded={opening("schedule")} />
    </>
  );
}
