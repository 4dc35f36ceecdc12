import { BookOpen } from "lucide-react";
import { useState } from "react";
import { NEW_CHAT } from "#web/features/composer/drafts.ts";
import { useSlash } from "#web/features/prompt-use/use-slash.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { atSignAt } from "./at-sign.ts";
import { useChosenKnowledge } from "./use-chosen-knowledge.ts";
import { useKnowledge } from "./use-knowledge.ts";

const AtPopup = lazyPart(async () => (await import("./at-popup.tsx")).default);
const KnowledgePickerPopup = lazyPart(async () => (await import("./knowledge-picker-popup.tsx")).default);

/** The composer's button that adds knowledge to a chat (null: the chat to come), and the list behind `@`; absent where there is none to add. */
export function KnowledgePicker({ chatId }: { chatId: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { entries } = useKnowledge();
  const { chosen, toggle } = useChosenKnowledge(chatId);
  const frame = anchor?.closest<HTMLElement>("[data-composer]") ?? null;
  const field = frame?.querySelector("textarea") ?? null;
  const { slash: sign, dismiss } = useSlash(field, atSignAt);
  const [hasSigned, setHasSigned] = useState(false);
  const isMobile = useIsMobile();
  if (isOpen && !isUsed) setIsUsed(true);
  if (sign && !hasSigned) setHasSigned(true);
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
      {hasSigned && frame && field && (
        <AtPopup
          anchor={frame}
          sign={sign}
          steer={isMobile || !sign ? undefined : { field, query: sign.query }}
          draftKey={chatId ?? NEW_CHAT}
          chosen={chosen}
          onAdd={toggle}
          onClose={dismiss}
        />
      )}
    </>
  );
}
