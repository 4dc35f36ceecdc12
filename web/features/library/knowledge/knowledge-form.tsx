import { ArrowLeft } from "lucide-react";
import { useId } from "react";
import type { Knowledge } from "#shared/entities/library/knowledge.ts";
import { knowledgeProblems } from "#shared/library/knowledge-problems.ts";
import { EntryForm, ShareEntry } from "#web/features/library/kit/entry-form.tsx";
import { useEntryForm } from "#web/features/library/kit/use-entry-form.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { TeamField } from "#web/features/people/teams/team-field.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { fieldClass, TextField } from "#web/ui/text-field.tsx";
import { KnowledgeArtifacts } from "./knowledge-artifacts.tsx";
import { KnowledgeFiles } from "./knowledge-files.tsx";
import { draftOf, knowledgeDrafts } from "./knowledge-draft.ts";
import { useCreateKnowledge, useUpdateKnowledge } from "./use-change-knowledge.ts";

type KnowledgeFormProps = {
  /** Null for a new one. */
  entry: Knowledge | null;
  /** What a new one is made of. */
  from?: string;
  onLeave: () => void;
  onMade: (id: string) => void;
};

/** An entry, to be made, changed, or where it is another's only looked at. */
export function KnowledgeForm({ entry, from = "", onLeave, onMade }: KnowledgeFormProps) {
  const { features } = useSession();
  const textId = useId();
  const form = useEntryForm({
    entry,
    drafts: knowledgeDrafts,
    saved: draftOf(entry, from),
    from,
    problemsOf: ({ name, text }) => knowledgeProblems({ name, text_content: text }),
    onDone: onLeave,
  });
  const { draft, change, problems, rights, isOwn } = form;
  const create = useCreateKnowledge(form.key);
  const update = useUpdateKnowledge(form.key);
  const save = () => {
    if (entry === null) create.mutate({ id: form.newId, draft }, { onSuccess: () => onMade(form.newId) });
    else update.mutate({ entry, draft }, { onSuccess: onLeave });
  };
  return (
    <EntryForm
      form={form}
      changes={[create, update]}
      saveLabel={entry === null ? "Create knowledge" : "Save changes"}
      note={`Up to 50 MB a file${features?.picker ? ", from Google Drive up to 10 MB" : ""}. PDF, Word, Excel, text, markdown, CSV, JSON and images.`}
      onSave={save}
    >
      <div className="flex shrink-0 items-center gap-8 px-16 pt-12 desk:min-h-64 desk:border-b desk:border-line desk:py-12 desk:pr-64 desk:pl-20">
        <IconButton label="Back to all knowledge" icon={ArrowLeft} onClick={form.leave} />
        <h3 id={form.titleId} className="min-w-0 flex-1 truncate font-serif text-18 text-ink desk:text-21">
          {entry === null ? "New knowledge" : rights.edit ? "Edit knowledge" : entry.name}
        </h3>
        {entry !== null && <ShareEntry item={{ kind: "knowledge", id: entry.id, name: entry.name }} rights={rights} />}
      </div>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto desk:flex-row desk:overflow-hidden">
        <div className="flex flex-col gap-16 px-20 py-16 desk:min-h-0 desk:w-420 desk:shrink-0 desk:overflow-y-auto desk:border-r desk:border-line desk:px-24">
          <TextField {...form.nameField} onChange={(event) => change({ name: event.target.value })} />
          <div className="flex flex-1 flex-col">
            <label htmlFor={textId} className="mb-6 text-13 font-medium text-ink">
              Text
            </label>
            <textarea
              id={textId}
              dir="auto"
              readOnly={!rights.edit}
              aria-invalid={problems.text_content !== undefined || undefined}
              aria-describedby={`${textId}-error`}
              value={draft.text}
              onChange={(event) => change({ text: event.target.value })}
              className={cx(fieldClass, "block min-h-192 flex-1 resize-none py-8 text-14 touch:text-16")}
            />
            <p id={`${textId}-error`} role="alert" className="mt-4 text-13 text-danger empty:hidden">
              {problems.text_content}
            </p>
          </div>
          {rights.edit && <TeamField className="" isOwn={isOwn} value={draft.teamId} onChange={(teamId) => change({ teamId })} />}
        </div>
        <div className="min-w-0 flex-1 px-20 py-16 desk:overflow-y-auto desk:px-24">
          <KnowledgeFiles entryId={entry?.id ?? null} files={entry?.user_context_files ?? []} canEdit={rights.edit} />
          {features?.artifacts && (
            <KnowledgeArtifacts entryId={entry?.id ?? null} artifacts={entry?.artifacts ?? []} canEdit={rights.edit} />
          )}
        </div>
      </div>
    </EntryForm>
  );
}
