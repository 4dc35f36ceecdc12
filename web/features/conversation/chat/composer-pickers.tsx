import { SquareSlash, BookOpen, Clock, Ellipsis } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { KnowledgePicker } from "#web/features/conversation/knowledge-use/knowledge-picker.tsx";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { useChat } from "#web/features/conversation/messages/use-chat.ts";
import { PersonaPicker } from "#web/features/conversation/persona-use/persona-picker.tsx";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { togglePromptList } from "#web/features/conversation/composer/prompt-use-store.ts";
import { ScheduleButton } from "#web/features/conversation/schedules/schedule-button.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ToolPicker } from "#web/features/conversation/tools/tool-picker.tsx";
import { useCategoriesQuery } from "#web/features/conversation/tools/use-categories.ts";
import { VoiceButton } from "#web/features/conversation/voice/voice-button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useIsNarrow } from "#web/ui/use-is-mobile.ts";
import { Menu, MenuItem } from "#web/ui/menu/menu.tsx";
import { useEver } from "#web/lib/use-ever.ts";

/** What is not known after so many milliseconds is waited for in sight. */
const PATIENCE_MS = 2_500;

export type ComposerPickersProps = {
  chatId: string | null;
  draftKey: string;
  modelId: string;
  /** A guest wants to record. */
  onSignIn: () => void;
  /** What stands in their room until all of them are known. */
  space: ReactNode;
};

/** The composer's pickers behind the model's, and its microphone: they come together, so none pushes another aside. */
export function ComposerPickers({ chatId, draftKey, modelId, onSignIn, space }: ComposerPickersProps) {
  const { isGuest } = useSession();
  const isNarrow = useIsNarrow();
  const isReady = usePickersReady(chatId);
  return (
    <>
      {!isReady && space}
      <div className={isReady ? "contents" : "hidden"}>
        <PersonaPicker chatId={chatId} />
        {modelId !== AUTOPILOT_MODEL_ID && <ToolPicker chatId={chatId} />}
        {isNarrow && !isGuest ? (
          <FoldedExtras chatId={chatId} draftKey={draftKey} />
        ) : (
          <>
            {!isGuest && <KnowledgePicker chatId={chatId} />}
            <IconButton
              label="Use a prompt"
              icon={SquareSlash}
              shortcut="/"
              aria-haspopup="dialog"
              className="max-[520px]:w-32! max-[374px]:hidden"
              onClick={() => togglePromptList(draftKey)}
            />
            {!isGuest && <ScheduleButton draftKey={draftKey} chatId={chatId} />}
          </>
        )}
        <VoiceButton key={draftKey} draftKey={draftKey} onSignIn={onSignIn} />
      </div>
    </>
  );
}

/** True once all that the pickers show is known, or was asked for in vain; from then on it stays so. */
function usePickersReady(chatId: string | null): boolean {
  const { isGuest } = useSession();
  const chat = useChat(chatId, false);
  const personas = usePersonas();
  const categories = useCategoriesQuery();
  const knowledge = useKnowledge();
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const own = isGuest ? [] : [personas, knowledge];
  const asked = [categories, ...own, ...(chatId === null ? [] : [chat])];
  return useEver(isLate || asked.every(({ data, errorUpdateCount }) => data !== undefined || errorUpdateCount > 0));
}

type FoldedExtrasProps = { chatId: string | null; draftKey: string };

/** What a narrow composer has no room for, behind one button. */
function FoldedExtras({ chatId, draftKey }: FoldedExtrasProps) {
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
