import { type MouseEvent, useState } from "react";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/entities/model.ts";
import { useSelectedModel } from "#web/features/models/use-selected-model.ts";
import { Drawer } from "#web/ui/drawer.tsx";
import { Popover } from "#web/ui/popover.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { OPTIONAL_CATEGORIES } from "./optional-categories.ts";
import { PickerButton } from "./picker-button.tsx";
import { ToolPickerList } from "./tool-picker-list.tsx";
import { useToolChoice } from "./use-tool-choice.ts";

/** Pixels between the composer and what opens above it. */
const GAP_PX = 8;

/** The composer's button that shows and changes which tools a chat's model may choose from (null: the chat to come). */
export function ToolPicker({ chatId }: { chatId: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  const [sideOffset, setSideOffset] = useState(GAP_PX);
  const { categories, toggle } = useToolChoice(chatId);
  const { model } = useSelectedModel(chatId);
  const isMobile = useIsMobile();
  if (OPTIONAL_CATEGORIES.length === 0) return null;

  const reason =
    model && !model.tools ? (model.id === DEEP_RESEARCH_MODEL_ID ? "Deep Research has its own tools" : "Tools not supported") : null;
  const isShown = isOpen && reason === null;
  const list = <ToolPickerList chosen={categories} isTouch={isMobile} onToggle={toggle} onClose={() => setIsOpen(false)} />;
  if (isMobile) {
    return (
      <>
        <PickerButton
          count={categories.length}
          reason={reason}
          aria-haspopup="dialog"
          aria-expanded={isShown}
          onClick={() => setIsOpen(true)}
        />
        <Drawer open={isShown} onOpenChange={setIsOpen} side="bottom" title="Select tools" className="pb-(--safe-bottom)">
          {list}
        </Drawer>
      </>
    );
  }
  return (
    <Popover
      label="Select tools"
      open={isShown}
      onOpenChange={setIsOpen}
      side="top"
      align="start"
      sideOffset={sideOffset}
      className="w-320 p-0!"
      trigger={<PickerButton count={categories.length} reason={reason} onClick={(event) => setSideOffset(riseOf(event))} />}
    >
      {list}
    </Popover>
  );
}

/** As far above the button as its composer reaches, so that the draft stays visible. */
function riseOf({ currentTarget: button }: MouseEvent<HTMLButtonElement>): number {
  const composer = button.closest("[data-composer]");
  return composer ? button.getBoundingClientRect().top - composer.getBoundingClientRect().top + GAP_PX : GAP_PX;
}
