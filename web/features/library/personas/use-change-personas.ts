import { useMutation } from "@tanstack/react-query";
import { createPersona, deletePersona, restorePersona, setDefaultPersona, updatePersona } from "#shared/contracts/library/personas.ts";
import type { Persona } from "#shared/entities/persona.ts";
import { sortPersonas } from "#shared/library/personas.ts";
import { changesInTurn } from "#web/features/library/kit/list-changes.ts";
import { call } from "#web/lib/api.ts";
import { forgetWhenSaved } from "#web/lib/draft-form.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { personaDrafts } from "./persona-draft.ts";
import type { PersonasAnswer } from "./use-personas.ts";

const inTurn = changesInTurn(keys.personas);

function show(change: (held: PersonasAnswer) => PersonasAnswer): void {
  queryClient.setQueryData<PersonasAnswer>(keys.personas, (held) => held && change(held));
}

function showPersona({ persona }: { persona: Persona }): void {
  show((held) => ({ ...held, personas: sortPersonas([...held.personas.filter(({ id }) => id !== persona.id), persona]) }));
  void queryClient.invalidateQueries({ queryKey: keys.personaVersions(persona.id) });
}

export type NewPersona = { id?: string; name: string; content: string; teamId: string | null };

/** Makes a persona, a team's where one is named; `form` is where its draft is kept. */
export function useCreatePersona(form?: string) {
  return useMutation({
    ...inTurn,
    ...forgetWhenSaved(personaDrafts, form, showPersona),
    // An id is the form's, so a second try of what arrived after all makes no second one.
    mutationFn: ({ id, name, content, teamId }: NewPersona) => call(createPersona, { body: { id, name, content, team_id: teamId } }),
  });
}

export type PersonaChange = { id: string; name?: string; content?: string; personalization?: string | null; team_id?: string | null };

/** Changes what a persona is called and says, and whose it is; `form` is where its draft is kept. */
export function useUpdatePersona(form?: string) {
  return useMutation({
    ...inTurn,
    ...forgetWhenSaved(personaDrafts, form, showPersona),
    mutationFn: ({ id, ...body }: PersonaChange) => call(updatePersona, { params: { id }, body }),
  });
}

/** Gives a persona the text of an earlier version. */
export function useRestorePersona() {
  return useMutation({
    ...inTurn,
    mutationFn: ({ id, version }: { id: string; version: number }) => call(restorePersona, { params: { id }, body: { version } }),
    onSuccess: showPersona,
  });
}

/** Deletes a persona; the personalized one takes over where it was the default. */
export function useDeletePersona() {
  return useMutation({
    ...inTurn,
    mutationFn: (id: string) => call(deletePersona, { params: { id } }),
    onSuccess: (_, id) => show((held) => ({ ...held, personas: held.personas.filter((persona) => persona.id !== id) })),
    onError: (error) => toastFailure("The persona was not deleted", error),
  });
}

/** Makes a persona the default: seen at once, and taken back with the reason where saving fails. */
export function useSetDefaultPersona() {
  return useMutation({
    ...inTurn,
    mutationFn: (id: string) => call(setDefaultPersona, { params: { id } }),
    onMutate: async (id) => {
      await queryClient.cancelQueries({ queryKey: keys.personas });
      show((held) => ({ ...held, default_persona_id: id }));
    },
    onError: (error) => toastFailure("The default was not changed", error),
  });
}
