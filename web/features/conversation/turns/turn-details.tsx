import { Info } from "lucide-react";
import { useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Popover } from "#web/ui/menu/popover.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";

const TurnFacts = lazyPart(async () => (await import("./turn-facts.tsx")).TurnFacts);

/** The room at both sides of the panel, in pixels. */
const GAPS = 8 + 4;

/** How an answer came about: models asked and answered, tokens, cost, time. It stands beside the answer, else below it. */
export function TurnDetails({ message }: { message: Message }) {
  const [isOpen, setIsOpen] = useState(false);
  const [room, setRoom] = useState(0);
  const isMobile = useIsMobile();
  const measure = (button: HTMLElement) => {
    const end = actionsOf(button)?.getBoundingClientRect().right ?? window.innerWidth;
    setRoom(window.innerWidth - end - GAPS);
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
      side={room < 192 ? "bottom" : "right"}
      align="end"
      placedAt={actionsOf}
      className={cx(
        "overflow-y-auto",
        room < 192 ? "max-h-[60dvh]" : "max-h-(--available-height)",
        room >= 192 && room < 288 ? "w-192" : "w-288",
      )}
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
