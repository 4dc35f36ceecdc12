import { resolvePersona } from "#shared/library/personas.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { isMadeOfMemory } from "#worker/library/memories/memories.ts";
import { readsMemory } from "#worker/library/memories/use-memory.ts";
import type { LibraryTurn, LibraryContribution } from "#worker/library/contribution.ts";
import { selectDefaultPersona, selectPersonasById } from "./personas.ts";

/** The persona of a turn as its text stands now: the chat's, else its reader's default. One that the reader may not use counts as none. */
export async function contributePersona({ env, request, settings }: LibraryTurn): Promise<Partial<LibraryContribution>> {
  const { reader, defaultPersonaId } = request;
  const wanted = [settings.persona_id, defaultPersonaId].filter((id) => id !== null);
  if (reader.anonymous || settings.persona_id === "" || wanted.length === 0) return {};
  // Before there is a default nothing is written in the personalized one either, which goes by its person's id.
  const isPersonalized = settings.persona_id === reader.userId;
  if (isPersonalized && defaultPersonaId === null) return {};
  const db = openDatabase(env.DB);
  const named = await selectPersonasById(db, reader.userId, wanted);
  if (isPersonalized && !named.some(({ persona }) => persona.id === reader.userId)) return {};
  // Where none of these is theirs to use, e.g. a team's that they left: the flagged one, which is read for that alone.
  const candidates = named.length > 0 ? named : await selectDefaultPersona(db, reader.userId);
  const personas = candidates.map(({ persona }) => persona);
  const persona = resolvePersona({ lastUsed: settings.persona_id, globalDefault: defaultPersonaId, personas });
  if (!persona) return {};
  const { id, name, content, personalization } = persona;
  const isUntrusted = persona.user_id !== reader.userId || persona.is_untrusted;
  // Where memory is not read, neither is what was made of it; what the person wrote themselves is.
  const isLeftOut = personalization && !readsMemory(request, settings) && (await isMadeOfMemory(env, reader.userId, personalization));
  return {
    persona: { id, name },
    sections: [
      // What somebody says of themselves there is theirs as their memory is.
      ...(content.trim() === ""
        ? []
        : [
            {
              kind: persona.is_personalized ? ("personalization" as const) : ("persona" as const),
              text: content,
              isUntrusted: isUntrusted,
            },
          ]),
      ...(personalization && !isLeftOut ? [{ kind: "personalization" as const, text: personalization, isUntrusted: isUntrusted }] : []),
    ],
  };
}
