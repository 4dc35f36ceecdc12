import { History } from "lucide-react";
import type { Persona } from "#shared/entities/persona.ts";
import { PERSONALIZATION_MARKER, personaProblems } from "#shared/library/personas.ts";
import { EntryForm, ShareEntry } from "#web/features/library/kit/entry-form.tsx";
import { useEntryForm } from "#web/features/library/kit/use-entry-form.ts";
import { TeamField } from "#web/features/people/teams/team-field.tsx";
import { Button } from "#web/ui/button.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { changedFields, draftOf, personaDrafts } from "./persona-draft.ts";
import { useCreatePersona, useUpdatePersona } from "./use-change-personas.ts";

type PersonaFormProps = {
  /** Null for a new one. */
  persona: Persona | null;
  onDone: () => void;
  onVersions: () => void;
};

/** A persona's texts, to be made, changed, or where it is another's only looked at. */
export function PersonaForm({ persona, onDone, onVersions }: PersonaFormProps) {
  const isPersonalized = persona?.is_personalized === true;
  const form = useEntryForm({
    entry: persona,
    drafts: personaDrafts,
    saved: draftOf(persona),
    problemsOf: (draft) => personaProblems(draft, isPersonalized),
    focused: "input:not([readonly]), textarea",
    onDone,
  });
  const { draft, change, problems, rights, isOwn } = form;
  const create = useCreatePersona(form.key);
  const update = useUpdatePersona(form.key);
  const save = () => {
    if (persona === null) create.mutate({ ...draft, id: form.newId, name: draft.name.trim() }, { onSuccess: onDone });
    else update.mutate({ id: persona.id, ...changedFields(persona, draft) }, { onSuccess: onDone });
  };
  return (
    <EntryForm form={form} changes={[create, update]} saveLabel={persona === null ? "Create persona" : "Save"} onSave={save}>
      <div className="min-h-0 flex-1 overflow-y-auto px-20 pt-16 pb-20 desk:px-24">
        <div className="flex min-h-32 items-center gap-8">
          <h3 id={form.titleId} className="min-w-0 flex-1 truncate font-serif text-18 text-ink">
            {persona === null ? "New persona" : rights.edit ? "Edit persona" : "Persona"}
          </h3>
          {persona !== null && !isPersonalized && (
            <ShareEntry item={{ kind: "persona", id: persona.id, name: persona.name }} rights={rights} />
          )}
          {persona !== null && isOwn && rights.edit && persona.version > 1 && (
            <Button size="sm" variant="quiet" onClick={onVersions}>
              <History aria-hidden className="size-16" />
              Versions
            </Button>
          )}
        </div>
        <TextField
          {...form.nameField}
          className="mt-8"
          readOnly={isPersonalized || !rights.edit}
          hint={isPersonalized && "The name of the personalized persona cannot be edited."}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextArea
          className="mt-16"
          label={isPersonalized ? "Your instructions" : "Content"}
          aside={`${draft.content.length.toLocaleString("en")} characters`}
          rows={6}
          readOnly={!rights.edit}
          value={draft.content}
          error={problems.content}
          onChange={(event) => change({ content: event.target.value })}
        />
        {isPersonalized && (
          <TextArea
            className="mt-16"
            label="Personalization"
            aside={`${draft.personalization.length.toLocaleString("en")} characters`}
            rows={6}
            value={draft.personalization}
            error={problems.personalization}
            hint={`Kept up from your memory, once a day at most, each time as a version that you can go back from. What you write here yourself is left as it is. It begins with '${PERSONALIZATION_MARKER}'; leave it empty for none.`}
            onChange={(event) => change({ personalization: event.target.value })}
          />
        )}
        {!isPersonalized && rights.edit && (
          <TeamField className="mt-16" isOwn={isOwn} value={draft.teamId} onChange={(teamId) => change({ teamId })} />
        )}
      </div>
    </EntryForm>
  );
}
