import { resolvePersona } from "#shared/personas.ts";
import { openDatabase } from "../db/client.ts";
import type { ContextInput, Contribution } from "../turn/contribution.ts";
import { selectPersonasById } from "./personas.ts";

/** The persona of a turn as its text stands now: the chat's, else its reader's default. One that the reader may not use counts as none. */
export async function speakAs({ env, request, settings }: ContextInput): Promise<Partial<Contribution>> {
  const { reader, defaultPersonaId } = request;
  const wanted = [settings.persona_id, defaultPersonaId].filter((id) => id !== null);
  if (reader.anonymous || settings.persona_id === "" || wanted.length === 0) return {};
  const reached = await selectPersonasById(openDatabase(env.DB), reader.userId, wanted);
  const personas = reached.map(({ persona }) => persona);
  // Of these only the named ones were read: a flagged or first one is not among them.
  const persona = resolvePersona({ lastUsed: settings.persona_id, globalDefault: defaultPersonaId, personas });
  if (!persona) return {};
  const { id, name, content, personalization } = persona;
  const isForeign = persona.user_id !== reader.userId;
  return {
    persona: { id, name },
    sections: [
      ...(content.trim() === "" ? [] : [{ kind: "persona" as const, text: content, isForeign }]),
      ...(personalization ? [{ kind: "personalization" as const, text: personalization, isForeign }] : []),
    ],
  };
}
