import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { showVersion } from "#web/features/conversation/sending/change-turn.ts";

/** Steps through the versions at one place of the conversation; nothing when there is but one. */
export function VersionSwitch({ message, isBusy }: { message: Message; isBusy: boolean }) {
  const [isSwitching, setIsSwitching] = useState(false);
  const { chat_id: chatId, sibling_ids: versions } = message;
  const index = versions.indexOf(message.id);
  if (versions.length < 2 || index === -1) return null;

  const step = async (by: 1 | -1) => {
    const target = versions[index + by];
    if (target === undefined || isSwitching) return;
    setIsSwitching(true);
    try {
      await showVersion(chatId, target);
    } catch (error) {
      toast({ title: "Failed to switch version", description: error instanceof Error ? error.message : "", tone: "danger" });
    } finally {
      setIsSwitching(false);
    }
  };
  return (
    <span className="inline-flex items-center text-13 text-ink2">
      <IconButton label="Previous version" icon={ChevronLeft} size="sm" disabled={isBusy || index === 0} onClick={() => void step(-1)} />
      <span className="min-w-24 text-center tabular-nums">
        <span className="sr-only">{`Version ${index + 1} of ${versions.length}`}</span>
        <span aria-hidden>{`${index + 1}/${versions.length}`}</span>
      </span>
      <IconButton
        label="Next version"
        icon={ChevronRight}
        size="sm"
        disabled={isBusy || index === versions.length - 1}
        onClick={() => void step(1)}
      />
    </span>
  );
}
