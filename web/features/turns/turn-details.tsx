import { Info } from "lucide-react";
import { useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Popover } from "#web/ui/menu/popover.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";

const TurnFacts = lazyPart(async () => (await import("./turn-facts.tsx")).TurnFacts);

/** What the panel takes beside the column, in pixels: its width, and the room at both of its sides. */
const ROOM = 192 + 8 + 4;

/** How an answer came about: models asked and answered, tokens, cost, time. It stands beside the answer, else below it. */
export function TurnDetails({ message }: { message: Message }) {
  const [isOpen, setIsOpen] = useState(false);
  const [hasRoom, setHasRoom] = useState(false);
  const isMobile = useIsMobile();
  const measure = (button: HTMLElement) => {
    const end = actionsOf(button)?.getBoundingClientRect().right ?? window.innerWidth;
    setHasRoom(window.innerWidth - end >= ROOM);
  };
  if (isMobile) {
    return (
      <>
        <IconButton label="Details" icon={Info} aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setIsOpen(true)} />
        <Dialog open={isOpen} onOpenChange={setIsOpen} title="Details" width={360}>
          <TurnFacts message={message} />
        </Dialog>
      </>
    );
  }
  return (
    <Popover
      label="Details"
      open={isOpen}
      onOpenChange={setIsOpen}
      side={hasRoom ? "right" : "bottom"}
      align="end"
      placedAt={actionsOf}
      className={hasRoom ? "max-h-(--available-height) w-192 overflow-y-auto" : "max-h-[60dvh] w-288 overflow-y-auto"}
      trigger={<IconButton label="Details" icon={Info} onClick={(event) => measure(event.currentTarget)} />}
    >
      <TurnFacts message={message} />
    </Popover>
  );
}

/** The row of the answer's actions: what stands beside all of it stands beside the answer. */
function actionsOf(button: HTMLElement): Element | null {
  return button.closest("[data-actions]");
}
