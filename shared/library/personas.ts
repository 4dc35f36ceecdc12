import { APP_NAME } from "#shared/app.ts";
import { CONTENT_NAME_LENGTH, PERSONA_LENGTH, PERSONA_NAME_SHOWN } from "#shared/limits.ts";
import { isBlank, plainName } from "#shared/shown-text.ts";

/** The name of the persona that every account has. */
export const PERSONALIZED_NAME = `${APP_NAME} (personalized)`;

/** What the personalization section begins with. */
export const PERSONALIZATION_MARKER = "--- PERSONALIZATION SECTION ---";

/** What is wrong with a persona's texts, in the words of the form and of the API. */
export const PERSONA_PROBLEMS = {
  noName: "Name cannot be empty.",
  longName: "That name is too long.",
  noContent: "Content cannot be empty.",
  long: "This persona is too long. Shorten it to 20,000 characters.",
  noMarker: `Personalization content must start with '${PERSONALIZATION_MARKER}'`,
} as const;

export type PersonaText = { name: string; content: string; personalization: string };

/** What is wrong with each field of a persona as it was written; the personalized one keeps its name and may say nothing. */
export function personaProblems(text: PersonaText, isPersonalized: boolean): Partial<Record<keyof PersonaText, string>> {
  const problem = {
    name: isPersonalized ? null : nameProblem(plainName(text.name)),
    content: !isPersonalized && isBlank(text.content) ? PERSONA_PROBLEMS.noContent : tooLong(text.content),
    personalization: isPersonalized ? sectionProblem(text.personalization) : null,
  };
  return {
    ...(problem.name && { name: problem.name }),
    ...(problem.content && { content: problem.content }),
    ...(problem.personalization && { personalization: problem.personalization }),
  };
}

function nameProblem(name: string): string | null {
  if (name === "") return PERSONA_PROBLEMS.noName;
  return name.length > CONTENT_NAME_LENGTH ? PERSONA_PROBLEMS.longName : null;
}

function sectionProblem(section: string): string | null {
  return section !== "" && !section.startsWith(PERSONALIZATION_MARKER) ? PERSONA_PROBLEMS.noMarker : tooLong(section);
}

function tooLong(text: string): string | null {
  return text.length > PERSONA_LENGTH ? PERSONA_PROBLEMS.long : null;
}

/** The beginning of a text on one line, of so many characters at most. */
export function previewOf(text: string, length: number): string {
  // Four times as much has enough left of it when its line breaks and runs of blanks are gone, unless it is mostly blank.
  const characters = Array.from(
    text
      .slice(0, length * 4)
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  return characters.length <= length ? characters.join("") : `${characters.slice(0, length).join("").trimEnd()}…`;
}

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
 * The persona of a turn: what was picked, what the chat used last, the user's default, the one that is flagged, the
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

/** A persona's name as its button shows it: without a number in brackets at its end, 16 characters at most. */
export function shortPersonaName(name: string): string {
  const characters = Array.from(
    name
      .trimEnd()
      .replace(/\(\d+\)$/, "")
      .trimEnd(),
  );
  return characters.length <= PERSONA_NAME_SHOWN ? characters.join("") : `${characters.slice(0, PERSONA_NAME_SHOWN).join("")}…`;
}
