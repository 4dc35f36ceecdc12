import { Info } from "lucide-react";
import { useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Popover } from "#web/ui/menu/popover.tsx";

const TurnFacts = lazyPart(async () => (await import("./turn-facts.tsx")).TurnFacts);

/** How an answer came about: models asked and answered, tokens, cost, time. */
export function TurnDetails({ message }: { message: Message }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      label="Details"
      open={isOpen}
      onOpenChange={setIsOpen}
      side="right"
      align="end"
      placedAt={actionsOf}
      // As wide as the room beside the column, where there is any.
      className="max-h-(--available-height) w-288 overflow-y-auto min-[1424px]:w-200"
      trigger={<IconButton label="Details" icon={Info} />}
    >
      <TurnFacts message={message} />
    </Popover>
  );
}

/** The whole row: what stands beside it stands beside the answer, not over it. */
function actionsOf(button: HTMLElement): Element | null {
  return button.closest("[data-actions]");
}
