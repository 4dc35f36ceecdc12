import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { Persona, PersonaVersion } from "#shared/entities/persona.ts";
import { CONTENT_NAME_LENGTH, PERSONA_LENGTH } from "#shared/limits.ts";
import { PERSONALIZATION_MARKER, PERSONA_PROBLEMS } from "#shared/library/personas.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { asName, someText } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const PersonaParams = z.object({ id: Id });

export const PersonaName = z
  .string()
  .check(asName, z.minLength(1, PERSONA_PROBLEMS.noName), z.maxLength(CONTENT_NAME_LENGTH, PERSONA_PROBLEMS.longName));
const Length = z.maxLength(PERSONA_LENGTH, PERSONA_PROBLEMS.long);
export const PersonaContent = z.string().check(someText(PERSONA_PROBLEMS.noContent), Length);
const Personalization = z.nullable(
  z.string().check(
    z.refine((text) => text === "" || text.startsWith(PERSONALIZATION_MARKER), PERSONA_PROBLEMS.noMarker),
    Length,
  ),
);

export const listPersonas = endpoint("GET", "/api/user-system-prompts", {
  summary: "The caller's personas and those of their teams, the personalized one first, then by name; and whose the caller's default is",
  access: "account",
  response: z.object({ personas: z.array(Persona), default_persona_id: Id }),
});

export const createPersona = endpoint("POST", "/api/user-system-prompts", {
  summary: "Create a persona, a team's where `team_id` names one; the client may choose its id",
  access: "account",
  repeat: "key",
  body: z.object({ id: z.optional(Id), name: PersonaName, content: PersonaContent, team_id: z.optional(z.nullable(Id)) }),
  response: z.object({ persona: Persona }),
  status: 201,
});

export const getPersona = endpoint("GET", "/api/user-system-prompts/:id", {
  summary: "One persona",
  access: "account",
  params: PersonaParams,
  response: z.object({ persona: Persona }),
});

export const updatePersona = endpoint("PATCH", "/api/user-system-prompts/:id", {
  summary:
    "Change a persona of one's own, or with `team_id` whose it is. The personalized one keeps its name, and alone has a `personalization`",
  access: "account",
  params: PersonaParams,
  body: z.partial(
    z.object({ name: PersonaName, content: z.string().check(Length), personalization: Personalization, team_id: z.nullable(Id) }),
  ),
  response: z.object({ persona: Persona }),
});

export const deletePersona = endpoint("DELETE", "/api/user-system-prompts/:id", {
  summary: "Delete a persona; the personalized one stays, and takes over where the default is deleted",
  access: "account",
  params: PersonaParams,
  response: Ok,
});

export const setDefaultPersona = endpoint("POST", "/api/user-system-prompts/:id/default", {
  summary: "Make a persona the caller's default, a team's too",
  access: "account",
  repeat: "same",
  params: PersonaParams,
  response: Ok,
});

export const listPersonaVersions = endpoint("GET", "/api/user-system-prompts/:id/versions", {
  summary: "What a persona said before its last 20 changes, newest first",
  access: "account",
  params: PersonaParams,
  response: z.object({ versions: z.array(PersonaVersion) }),
});

export const restorePersona = endpoint("POST", "/api/user-system-prompts/:id/restore", {
  summary: "Give a persona the text of an earlier version, as a further change",
  access: "account",
  repeat: "same",
  params: PersonaParams,
  body: z.object({ version: z.number().check(z.int()) }),
  response: z.object({ persona: Persona }),
});
