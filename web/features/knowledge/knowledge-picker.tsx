import { BookOpen } from "lucide-react";
import { useState } from "react";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useChosenKnowledge } from "./use-chosen-knowledge.ts";
import { useKnowledge } from "./use-knowledge.ts";

const KnowledgePickerPopup = lazyPart(async () => (await import("./knowledge-picker-popup.tsx")).default);

/** The composer's button that adds knowledge to a chat (null: the chat to come); absent where there is none to add. */
export function KnowledgePicker({ chatId }: { chatId: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { entries } = useKnowledge();
  const { chosen, toggle } = useChosenKnowledge(chatId);
  if (isOpen && !isUsed) setIsUsed(true);
  if (entries.length === 0) return null;
  return (
    <>
      <IconButton
        ref={setAnchor}
        label="Add knowledge"
        icon={BookOpen}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="max-[520px]:w-32!"
        onClick={() => setIsOpen(!isOpen)}
      />
      {isUsed && anchor && (
        <KnowledgePickerPopup open={isOpen} anchor={anchor} chosen={chosen} onToggle={toggle} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
