import { useMutation } from "@tanstack/react-query";
import { createPersona, deletePersona, restorePersona, setDefaultPersona, updatePersona } from "#shared/contracts/library/personas.ts";
import type { Persona } from "#shared/entities/persona.ts";
import { sortPersonas } from "#shared/library/personas.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { forgetWhenSaved } from "#web/lib/draft-form.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { personaDrafts } from "./persona-draft.ts";
import type { PersonasAnswer } from "./use-personas.ts";

/** One after another, and when the last one is answered the list is read again: what others changed meanwhile is in it. */
const inTurn = {
  mutationKey: keys.personas,
  scope: { id: "personas" },
  onSettled: () => {
    if (queryClient.isMutating({ mutationKey: keys.personas }) === 1) void queryClient.invalidateQueries({ queryKey: keys.personas });
  },
};

function show(change: (held: PersonasAnswer) => PersonasAnswer): void {
  queryClient.setQueryData<PersonasAnswer>(keys.personas, (held) => held && change(held));
}

function showPersona({ persona }: { persona: Persona }): void {
  show((held) => ({ ...held, personas: sortPersonas([...held.personas.filter(({ id }) => id !== persona.id), persona]) }));
  void queryClient.invalidateQueries({ queryKey: keys.personaVersions(persona.id) });
}

function notify(title: string): (error: Error) => void {
  return (error) => void toast({ title, description: error instanceof ApiError ? error.message : "", tone: "danger" });
}

export type NewPersona = { id?: string; name: string; content: string; teamId: string | null };

/** Makes a persona, a team's where one is named; `form` is where its draft is kept. */
export function useCreatePersona(form?: string) {
  const { onMutate, forget } = forgetWhenSaved(personaDrafts, form);
  return useMutation({
    ...inTurn,
    onMutate,
    // An id is the form's, so a second try of what arrived after all makes no second one.
    mutationFn: ({ id, name, content, teamId }: NewPersona) => call(createPersona, { body: { id, name, content, team_id: teamId } }),
    onSuccess: (answer, _, sent) => (showPersona(answer), forget(sent)),
  });
}

export type PersonaChange = { id: string; name?: string; content?: string; personalization?: string | null; team_id?: string | null };

/** Changes what a persona is called and says, and whose it is; `form` is where its draft is kept. */
export function useUpdatePersona(form?: string) {
  const { onMutate, forget } = forgetWhenSaved(personaDrafts, form);
  return useMutation({
    ...inTurn,
    onMutate,
    mutationFn: ({ id, ...body }: PersonaChange) => call(updatePersona, { params: { id }, body }),
    onSuccess: (answer, _, sent) => (showPersona(answer), forget(sent)),
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
    onError: notify("The persona was not deleted"),
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
    onError: notify("The default was not changed"),
  });
}
