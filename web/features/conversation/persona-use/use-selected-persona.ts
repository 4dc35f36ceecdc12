import type { Persona } from "#shared/entities/persona.ts";
import { resolvePersona } from "#shared/library/personas.ts";
import { changeSettings, useChatSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";

export type SelectedPersona = {
  /** What the next message speaks as; null for no persona, and until the personas are known. */
  persona: Persona | null;
  /** The id that the chat names and that is none of this person's: one that was deleted, or another's. */
  absentId: string | null;
  /** False until the personas are known. */
  isKnown: boolean;
  /** Picks another one for this chat from now on; null for none. */
  select: (id: string | null) => void;
};

/** The persona of a chat's next message (null: the chat to come), by the order of `resolvePersona`. */
export function useSelectedPersona(chatId: string | null): SelectedPersona {
  const { personas, defaultId, data } = usePersonas();
  const { persona_id: wanted } = useChatSettings(chatId);
  const isAbsent = data !== undefined && Boolean(wanted) && !personas.some(({ id }) => id === wanted);
  return {
    persona: resolvePersona({ lastUsed: wanted, globalDefault: defaultId, personas }),
    absentId: isAbsent ? (wanted ?? null) : null,
    isKnown: data !== undefined,
    select: (id) => void changeSettings(chatId, { persona_id: id ?? "" }, "The persona was not changed"),
  };
}
