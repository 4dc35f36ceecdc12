import { BookOpen } from "lucide-react";
import { useState } from "react";
import { NEW_CHAT } from "#web/features/conversation/composer/drafts.ts";
import { useSlash } from "#web/features/conversation/prompt-use/use-slash.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { atSignAt } from "./at-sign.ts";
import { useChosenKnowledge } from "#web/features/conversation/chat-settings/use-chosen-knowledge.ts";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { useEver } from "#web/lib/use-ever.ts";

const AtPopup = lazyPart(async () => (await import("./at-popup.tsx")).default);
const KnowledgePickerPopup = lazyPart(async () => (await import("#web/features/library/knowledge/knowledge-picker-popup.tsx")).default);

type KnowledgePickerProps = {
  chatId: string | null;
  /** Stands for the button where a menu opens the list; the list opens at it. */
  folded?: { anchor: HTMLElement | null; isOpen: boolean; onOpenChange: (open: boolean) => void };
};

/** The composer's button that adds knowledge to a chat (null: the chat to come), and the list behind `@`; absent where there is none to add. */
export function KnowledgePicker({ chatId, folded }: KnowledgePickerProps) {
  const [ownIsOpen, setOwnIsOpen] = useState(false);
  const [isOpen, setIsOpen] = folded ? [folded.isOpen, folded.onOpenChange] : [ownIsOpen, setOwnIsOpen];
  const [button, setButton] = useState<HTMLElement | null>(null);
  const anchor = folded ? folded.anchor : button;
  const { entries } = useKnowledge();
  const { chosen, toggle } = useChosenKnowledge(chatId);
  const frame = anchor?.closest<HTMLElement>("[data-composer]") ?? null;
  const field = frame?.querySelector("textarea") ?? null;
  const { slash: sign, dismiss } = useSlash(field, atSignAt);
  const isMobile = useIsMobile();
  const isUsed = useEver(isOpen);
  const hasSigned = useEver(sign !== null);
  if (entries.length === 0) return null;
  return (
    <>
      {!folded && (
        <IconButton
          ref={setButton}
          label="Add knowledge"
          icon={BookOpen}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        />
      )}
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
