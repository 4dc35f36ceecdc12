import type { Persona } from "#shared/entities/persona.ts";
import { previewOf } from "#shared/personas.ts";

/** An entry of a list of personas: its beginning instead of its whole text. */
export type PersonaChoice = { id: string; name: string; preview: string; isDefault: boolean };

type Wishes = { defaultId: string | null; previewLength: number };

/** 'No persona', whose id is an empty text, and the personas in their order. */
export function personaChoices(personas: readonly Persona[], { defaultId, previewLength }: Wishes): PersonaChoice[] {
  const none = { id: "", name: "No persona", preview: "The model answers without a standing instruction.", isDefault: false };
  return [
    none,
    ...personas.map((persona) => ({
      id: persona.id,
      name: persona.name,
      preview: personaPreview(persona, previewLength),
      isDefault: persona.id === defaultId,
    })),
  ];
}

/** The beginning of what a persona says, or that it says nothing yet. */
export function personaPreview({ content, personalization }: Persona, length: number): string {
  return previewOf(content.trim() === "" ? (personalization ?? "") : content, length) || "Nothing is written in it yet.";
}
