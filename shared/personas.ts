import { APP_NAME } from "./app.ts";
import { PERSONA_NAME_SHOWN } from "./limits.ts";

/** The name of the persona that every account has. */
export const PERSONALIZED_NAME = `${APP_NAME} (personalized)`;

/** What the personalization section begins with (spec 3, Persona). */
export const PERSONALIZATION_MARKER = "--- PERSONALIZATION SECTION ---";

type Known = { id: string; is_default: boolean; is_personalized: boolean; name: string };

type Choice<P> = {
  /** Undefined where nothing was picked; an empty text picks none. */
  explicit?: string | null | undefined;
  /** The one that the chat's last turn went with. */
  lastUsed?: string | null | undefined;
  /** The user's own default, which may be a team's. */
  globalDefault: string | null;
  /** Those that may be used, in their order. */
  personas: readonly P[];
};

/**
 * The persona of a turn (spec 4): what was picked, what the chat used last, the user's default, the one that is flagged, the
 * first. One that is gone counts as not named.
 */
export function resolvePersona<P extends Known>({ explicit, lastUsed, globalDefault, personas }: Choice<P>): P | null {
  for (const id of [explicit, lastUsed]) {
    if (id === "") return null;
    const found = personas.find((persona) => persona.id === id);
    if (found) return found;
  }
  return personas.find(({ id }) => id === globalDefault) ?? personas.find(({ is_default: isDefault }) => isDefault) ?? personas[0] ?? null;
}

/** Personas in the picker's order: the personalized one first, then by name. */
export function sortPersonas<P extends Known>(personas: readonly P[]): P[] {
  return personas.toSorted(
    (a, b) => Number(b.is_personalized) - Number(a.is_personalized) || a.name.localeCompare(b.name, "en", { sensitivity: "base" }),
  );
}

/** A persona's name as its button shows it: without a number in brackets at its end, 16 characters at most (spec 9). */
export function shortPersonaName(name: string): string {
  const characters = Array.from(name.replace(/\s*\(\d+\)\s*$/, ""));
  return characters.length <= PERSONA_NAME_SHOWN ? characters.join("") : `${characters.slice(0, PERSONA_NAME_SHOWN).join("")}…`;
}
