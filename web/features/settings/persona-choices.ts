/** Stands for no choice of its own: the persona is resolved as in a new chat. */
export const AS_IN_NEW_CHATS = "default";

type Named = { id: string; name: string };

/** What a list of personas offers beside them, and which of it is chosen: one that is gone counts as not chosen (spec 4). */
export function personaChoices(
  personas: readonly Named[],
  chosen: string | null,
): { value: string; options: { value: string; label: string }[] } {
  const options = [
    { value: AS_IN_NEW_CHATS, label: "As in new chats" },
    { value: "", label: "No persona" },
    ...personas.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return { value: options.find(({ value }) => value === chosen)?.value ?? AS_IN_NEW_CHATS, options };
}
