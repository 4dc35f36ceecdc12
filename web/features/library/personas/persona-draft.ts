import type { Persona } from "#shared/entities/persona.ts";
import type { PersonaText } from "#shared/library/personas.ts";
import { createDrafts } from "#web/lib/draft-form.ts";

/** A persona as its form holds it. */
export type PersonaDraft = PersonaText & { teamId: string | null };

export const personaDrafts = createDrafts<PersonaDraft>();

/** What a form begins with. */
export function draftOf(persona: Persona | null): PersonaDraft {
  if (!persona) return { name: "", content: "", personalization: "", teamId: null };
  const { name, content, personalization, team_id: teamId } = persona;
  return { name, content, personalization: personalization ?? "", teamId };
}

/** What saving a draft changes about a persona; the personalized one keeps its name. */
export function changedFields(persona: Persona, draft: PersonaDraft) {
  const before = draftOf(persona);
  const name = draft.name.trim();
  return {
    ...(name !== before.name && !persona.is_personalized && { name }),
    ...(draft.content !== before.content && { content: draft.content }),
    ...(draft.personalization !== before.personalization && { personalization: draft.personalization || null }),
    ...(draft.teamId !== before.teamId && { team_id: draft.teamId }),
  };
}
