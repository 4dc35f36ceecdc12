import type { Persona } from "#shared/entities/persona.ts";
import { previewOf } from "#shared/library/personas.ts";

/** An entry of the picker: 'No persona', or one that may be used. */
export type PersonaChoice = { id: string; name: string; persona: Persona | null; isDefault: boolean };

const NO_PERSONA: PersonaChoice = { id: "", name: "No persona", persona: null, isDefault: false };

/** 'No persona', whose id is an empty text, and the personas in their order. */
export function personaChoices(personas: readonly Persona[], defaultId: string | null): PersonaChoice[] {
  return [NO_PERSONA, ...personas.map((persona) => ({ id: persona.id, name: persona.name, persona, isDefault: persona.id === defaultId }))];
}

/** The beginning of what a persona says, or that it says nothing yet; made when it is seen, as lists of them are long. */
export function personaPreview(persona: Persona | null, length: number): string {
  if (persona === null) return "The model answers without a standing instruction.";
  return previewOf(textOf(persona), length) || "Nothing is written in it yet.";
}

/** What a search for personas looks through: the name, and as much of the text as is shown of it. */
export function searchedText({ name, persona }: PersonaChoice, length: number): string {
  return persona === null ? name : `${name} ${textOf(persona).slice(0, length)}`;
}

function textOf({ content, personalization }: Persona): string {
  return content.trim() === "" ? (personalization ?? "") : content;
}
