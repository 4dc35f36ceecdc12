import { BookOpen, X } from "lucide-react";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useChosenKnowledge } from "#web/features/conversation/chat-settings/use-chosen-knowledge.ts";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";

/** The knowledge that a chat reads, above its composer's text; what its reader may not use is said. */
export function KnowledgeChips({ chatId }: { chatId: string | null }) {
  const { entries, data } = useKnowledge();
  const { chosen, toggle } = useChosenKnowledge(chatId);
  if (!data || chosen.length === 0) return null;
  return (
    <ul aria-label="Knowledge" className="mb-10 flex flex-wrap gap-6">
      {chosen.map((id) => {
        const name = entries.find((entry) => entry.id === id)?.name ?? "Knowledge that you can't use";
        return (
          <li
            key={id}
            className="flex h-28 max-w-240 items-center gap-6 rounded-6 bg-accent-soft pl-8 text-13 text-accent-soft-ink touch:h-44"
          >
            <BookOpen aria-hidden className="size-14 shrink-0" />
            <span className="min-w-0 truncate" title={name}>
              {name}
            </span>
            <IconButton size="sm" label={`Remove ${name}`} tooltip="Remove" icon={X} onClick={() => toggle(id)} />
          </li>
        );
      })}
    </ul>
  );
}
