/** Stands for no choice of its own: the persona is resolved as in a new chat. */
export const AS_IN_NEW_CHATS = "default";

type Named = { id: string; name: string; team_id: string | null };

/** What a list of personas offers beside them, and which of it is chosen: one that is gone counts as not chosen. */
export function personaOptions(
  personas: readonly Named[],
  { chosen, labelOf }: { chosen: string | null; labelOf: (persona: Named) => string },
): { value: string; options: { value: string; label: string }[] } {
  const options = [
    { value: AS_IN_NEW_CHATS, label: "As in new chats" },
    { value: "", label: "No persona" },
    ...personas.map((persona) => ({ value: persona.id, label: labelOf(persona) })),
  ];
  return { value: options.find(({ value }) => value === chosen)?.value ?? AS_IN_NEW_CHATS, options };
}
