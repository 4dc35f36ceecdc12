import { X } from "lucide-react";
import { onceSettings } from "#web/features/conversation/chat-settings/once-settings.ts";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { counted } from "#web/lib/format.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { IconButton } from "#web/ui/icon-button.tsx";

const NONE: readonly string[] = [];

/** Says what a prompt set for a chat's next message alone, and takes it back. */
export function OnceNotice({ chatId }: { chatId: string }) {
  const once = useKeyed(onceSettings, chatId);
  const modelName = useModelName(once?.model_id ?? null);
  const { personas } = usePersonas();
  const contexts = once?.context_ids ?? NONE;
  const { entries } = useKnowledge(contexts.length > 0);
  if (once === null) return null;
  const persona = personas.find(({ id }) => id === once.persona_id);
  const context = entries.find(({ id }) => contexts.includes(id));
  const parts = [
    once.model_id && modelName,
    persona?.name,
    once.tool_categories && counted(once.tool_categories.length, "tool"),
    contexts.length === 1 && context?.name,
    contexts.length > 1 && `${contexts.length} knowledge entries`,
  ];
  return (
    <div className="mx-12 mb-8 flex min-h-36 items-center gap-8 rounded-12 bg-s3 py-2 pr-4 pl-14 text-13 text-ink2 touch:min-h-44 desk:mx-20">
      <p role="status" className="min-w-0 flex-1">
        {`For the next message alone: ${parts.filter(Boolean).join(", ")}`}
      </p>
      <IconButton label="Send as the chat is set" icon={X} size="sm" onClick={() => onceSettings.set(chatId, null)} />
    </div>
  );
}
