import { History, Share2 } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import type { Persona } from "#shared/entities/persona.ts";
import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";
import { PERSONALIZATION_MARKER, personaProblems } from "#shared/library/personas.ts";
import { openShareLink } from "#web/features/people/arrival/link-store.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { TeamField } from "#web/features/people/teams/team-field.tsx";
import { useContentRights } from "#web/features/people/teams/use-content-rights.ts";
import { Button } from "#web/ui/button.tsx";
import { TextArea } from "#web/ui/text-area.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { CHANGED_ELSEWHERE, useDraftForm } from "#web/lib/draft-form.ts";
import { isTouchDevice } from "#web/lib/is-touch-device.ts";
import { changesOf, draftOf, personaDrafts } from "./persona-draft.ts";
import { useCreatePersona, useUpdatePersona } from "./use-change-personas.ts";

type PersonaFormProps = {
  /** Null for a new one. */
  persona: Persona | null;
  onDone: () => void;
  onVersions: () => void;
};

/** A persona's texts, to be made, changed, or where it is another's only looked at. */
export function PersonaForm({ persona, onDone, onVersions }: PersonaFormProps) {
  const { user, features } = useSession();
  const headingId = useId();
  const form = useRef<HTMLFormElement>(null);
  const key = persona?.id ?? `new ${user?.id ?? ""}`;
  const { draft, hasClash, change, overwrite, forget } = useDraftForm(personaDrafts, key, draftOf(persona));
  const [newId] = useState(() => crypto.randomUUID());
  const [isTried, setIsTried] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const create = useCreatePersona(key);
  const update = useUpdatePersona(key);
  const isPersonalized = persona?.is_personalized === true;
  const { rights, isOwn, keeper } = useContentRights()(persona);
  const problems = isTried ? personaProblems(draft, isPersonalized) : {};
  const isSaving = create.isPending || update.isPending;
  const failure = create.error ?? update.error;
  const leave = () => {
    forget();
    onDone();
  };
  useEffect(() => {
    if (!isTouchDevice()) form.current?.querySelector<HTMLElement>("input:not([readonly]), textarea")?.focus();
  }, []);
  const save = () => {
    if (isSaving) return;
    setIsTried(true);
    if (Object.keys(personaProblems(draft, isPersonalized)).length > 0) {
      // What is wrong is marked with the next drawing.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
      return;
    }
    // To be seen before it is replaced.
    setIsWarned(hasClash);
    if (hasClash) return overwrite();
    if (persona === null) create.mutate({ ...draft, id: newId, name: draft.name.trim() }, { onSuccess: onDone });
    else update.mutate({ id: persona.id, ...changesOf(persona, draft) }, { onSuccess: onDone });
  };

  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={headingId}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        if (rights.edit) save();
      }}
    >
      <div className="min-h-0 flex-1 overflow-y-auto px-20 pt-16 pb-20 desk:px-24">
        <div className="flex min-h-32 items-center gap-8">
          <h3 id={headingId} className="min-w-0 flex-1 truncate font-serif text-18 text-ink">
            {persona === null ? "New persona" : rights.edit ? "Edit persona" : "Persona"}
          </h3>
          {persona !== null && !isPersonalized && rights.share && features?.shareLinks && (
            <Button size="sm" variant="quiet" onClick={() => openShareLink({ kind: "persona", id: persona.id, name: persona.name })}>
              <Share2 aria-hidden className="size-16" />
              Share
            </Button>
          )}
          {persona !== null && isOwn && rights.edit && persona.version > 1 && (
            <Button size="sm" variant="quiet" onClick={onVersions}>
              <History aria-hidden className="size-16" />
              Versions
            </Button>
          )}
        </div>
        <TextField
          className="mt-8"
          label="Name"
          autoComplete="off"
          maxLength={CONTENT_NAME_LENGTH}
          readOnly={isPersonalized || !rights.edit}
          value={draft.name}
          error={problems.name}
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
      <div className="flex shrink-0 items-center justify-end gap-8 border-t border-line px-20 pt-12 pb-[calc(12px+var(--safe-bottom))] desk:px-24">
        {(failure || isWarned) && (
          <p role="alert" className="mr-auto min-w-0 text-13 text-danger">
            {isWarned ? CHANGED_ELSEWHERE : failure?.message}
          </p>
        )}
        {persona !== null && !rights.edit && <p className="mr-auto min-w-0 text-12 text-ink2">{`${keeper} can change it.`}</p>}
        <Button variant="quiet" onClick={leave}>
          {rights.edit ? "Cancel" : "Back"}
        </Button>
        {rights.edit && (
          <Button type="submit" variant="primary" busy={isSaving}>
            {persona === null ? "Create persona" : "Save"}
          </Button>
        )}
      </div>
    </form>
  );
}
