import { ChevronDown, Drama } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { shortPersonaName } from "#shared/library/personas.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { ariaHotkey, hotkeyText, useHotkey } from "#web/lib/hotkeys.ts";
import { useEver } from "#web/lib/use-ever.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import type { PersonaListProps } from "#web/features/library/personas/persona-list-popup.tsx";
import { openManage } from "#web/features/library/kit/manage-store.ts";
import { closePersonaPicker, togglePersonaPicker, usePersonaPickerOpen } from "./persona-picker-store.ts";
import { useSelectedPersona } from "./use-selected-persona.ts";

const PersonaListPopup = lazyPart<PersonaListProps>(
  async () => (await import("#web/features/library/personas/persona-list-popup.tsx")).default,
);

/** The composer's button that shows and switches the persona of a chat's next message (null: the chat to come). */
export function PersonaPicker({ chatId }: { chatId: string | null }) {
  const choiceId = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { isGuest } = useSession();
  const { persona, isKnown, select } = useSelectedPersona(chatId);
  const isAsked = usePersonaPickerOpen();
  const isOpen = isAsked && !isGuest;
  const isUsed = useEver(isOpen);
  const toggle = isGuest ? () => openManage("personas") : togglePersonaPicker;
  useHotkey("switchPersona", toggle);
  useEffect(() => preloadAtFirstSign([PersonaListPopup]), []);
  // Leaving the screen with it open must not open it on the next one.
  useEffect(() => closePersonaPicker, []);
  // Asked for by a command or from the palette.
  useEffect(() => {
    if (!isAsked || !isGuest) return;
    closePersonaPicker();
    openManage("personas");
  }, [isAsked, isGuest]);

  const pick = (id: string | null) => {
    closePersonaPicker();
    select(id);
  };
  const choice = isGuest || isKnown ? (persona ? shortPersonaName(persona.name) : "No persona") : "Persona";
  return (
    <>
      <Tooltip label="Switch persona" shortcut={hotkeyText("switchPersona")}>
        <button
          ref={setAnchor}
          type="button"
          aria-label="Switch persona"
          aria-describedby={choiceId}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-keyshortcuts={ariaHotkey("switchPersona")}
          onClick={toggle}
          className="inline-flex h-32 min-w-0 shrink-0 items-center gap-8 rounded-8 px-8 text-13 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink aria-expanded:bg-s3 aria-expanded:text-ink max-[520px]:px-6 touch:h-44"
        >
          <Drama aria-hidden className="size-16 shrink-0 touch:size-20" />
          <span id={choiceId} className="truncate max-[520px]:sr-only">
            {choice}
          </span>
          <ChevronDown aria-hidden className="-ml-2 size-14 shrink-0 max-[520px]:hidden" />
        </button>
      </Tooltip>
      {isUsed && anchor && (
        <PersonaListPopup open={isOpen} anchor={anchor} selectedId={persona?.id ?? null} onPick={pick} onClose={closePersonaPicker} />
      )}
    </>
  );
}
