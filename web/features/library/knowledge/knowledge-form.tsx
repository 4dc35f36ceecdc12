import { ArrowLeft, Share2 } from "lucide-react";
import { useId, useState } from "react";
import type { Knowledge } from "#shared/entities/library/knowledge.ts";
import { knowledgeProblems } from "#shared/library/knowledge-problems.ts";
import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";
import { openShareLink } from "#web/features/people/arrival/link-store.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { TeamField } from "#web/features/people/teams/team-field.tsx";
import { useContentRights } from "#web/features/people/teams/use-content-rights.ts";
import { CHANGED_ELSEWHERE, useDraftForm } from "#web/lib/draft-form.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { fieldClass, TextField } from "#web/ui/text-field.tsx";
import { KnowledgeArtifacts } from "./knowledge-artifacts.tsx";
import { KnowledgeFiles } from "./knowledge-files.tsx";
import { knowledgeDrafts } from "./knowledge-draft.ts";
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
  const { user, features } = useSession();
  const id = useId();
  const saved = entry ? { name: entry.name, text: entry.text_content, teamId: entry.team_id } : { name: "", text: from, teamId: null };
  const key = entry?.id ?? `new ${user?.id ?? ""} ${from}`;
  const { draft, hasClash, change, overwrite, forget } = useDraftForm(knowledgeDrafts, key, saved);
  const [newId] = useState(() => crypto.randomUUID());
  const [state, setState] = useState({ isTried: false, isWarned: false });
  const { rights, isOwn, keeper } = useContentRights()(entry);
  const create = useCreateKnowledge(key);
  const update = useUpdateKnowledge(key);
  const problems = state.isTried ? knowledgeProblems({ name: draft.name, text_content: draft.text }) : {};
  const failure = create.error ?? update.error;
  const leave = () => {
    forget();
    onLeave();
  };
  const save = () => {
    if (create.isPending || update.isPending) return;
    const isWrong = Object.keys(knowledgeProblems({ name: draft.name, text_content: draft.text })).length > 0;
    setState({ isTried: true, isWarned: !isWrong && hasClash });
    if (isWrong) return;
    if (hasClash) return overwrite();
    if (entry === null) create.mutate({ id: newId, draft }, { onSuccess: () => onMade(newId) });
    else update.mutate({ entry, draft }, { onSuccess: onLeave });
  };
  return (
    <form
      noValidate
      aria-labelledby={`${id}-title`}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        if (rights.edit) save();
      }}
    >
      <div className="flex shrink-0 items-center gap-8 px-16 pt-12 desk:min-h-64 desk:border-b desk:border-line desk:py-12 desk:pr-64 desk:pl-20">
        <IconButton label="Back to all knowledge" icon={ArrowLeft} onClick={leave} />
        <h3 id={`${id}-title`} className="min-w-0 flex-1 truncate font-serif text-18 text-ink desk:text-21">
          {entry === null ? "New knowledge" : rights.edit ? "Edit knowledge" : entry.name}
        </h3>
        {entry !== null && rights.share && features?.shareLinks && (
          <Button size="sm" variant="quiet" onClick={() => openShareLink({ kind: "knowledge", id: entry.id, name: entry.name })}>
            <Share2 aria-hidden className="size-16" />
            Share
          </Button>
        )}
      </div>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto desk:flex-row desk:overflow-hidden">
        <div className="flex flex-col gap-16 px-20 py-16 desk:min-h-0 desk:w-420 desk:shrink-0 desk:overflow-y-auto desk:border-r desk:border-line desk:px-24">
          <TextField
            label="Name"
            autoComplete="off"
            maxLength={CONTENT_NAME_LENGTH}
            readOnly={!rights.edit}
            value={draft.name}
            error={problems.name}
            onChange={(event) => change({ name: event.target.value })}
          />
          <div className="flex flex-1 flex-col">
            <label htmlFor={`${id}-text`} className="mb-6 text-13 font-medium text-ink">
              Text
            </label>
            <textarea
              id={`${id}-text`}
              dir="auto"
              readOnly={!rights.edit}
              aria-invalid={problems.text_content !== undefined || undefined}
              aria-describedby={`${id}-text-error`}
              value={draft.text}
              onChange={(event) => change({ text: event.target.value })}
              className={cx(fieldClass, "block min-h-192 flex-1 resize-none py-8 text-14 touch:text-16")}
            />
            <p id={`${id}-text-error`} role="alert" className="mt-4 text-13 text-danger empty:hidden">
              {problems.text_content}
            </p>
          </div>
          {rights.edit && <TeamField className="" isOwn={isOwn} value={draft.teamId} onChange={(teamId) => change({ teamId })} />}
        </div>
        <div className="min-w-0 flex-1 px-20 py-16 desk:overflow-y-auto desk:px-24">
          <KnowledgeFiles contextId={entry?.id ?? null} files={entry?.user_context_files ?? []} canEdit={rights.edit} />
          {features?.artifacts && (
            <KnowledgeArtifacts contextId={entry?.id ?? null} artifacts={entry?.artifacts ?? []} canEdit={rights.edit} />
          )}
        </div>
      </div>
      <div className="flex shrink-0 items-center justify-end gap-8 border-t border-line px-20 pt-12 pb-[calc(12px+var(--safe-bottom))] desk:px-24 desk:pb-12">
        {failure || state.isWarned ? (
          <p role="alert" className="mr-auto min-w-0 text-13 text-danger">
            {state.isWarned ? CHANGED_ELSEWHERE : failure?.message}
          </p>
        ) : (
          <p className="mr-auto min-w-0 text-12 text-ink2">
            {rights.edit
              ? `Up to 50 MB a file${features?.picker ? ", from Google Drive up to 10 MB" : ""}. PDF, Word, Excel, text, markdown, CSV, JSON and images.`
              : `${keeper} can change it.`}
          </p>
        )}
        <Button variant="quiet" onClick={leave}>
          {rights.edit ? "Cancel" : "Back"}
        </Button>
        {rights.edit && (
          <Button type="submit" variant="primary" busy={create.isPending || update.isPending}>
            {entry === null ? "Create knowledge" : "Save changes"}
          </Button>
        )}
      </div>
    </form>
  );
}
