import { ChevronRight, Copy, Share2 } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Prompt } from "#shared/entities/prompt.ts";
import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";
import { promptProblems } from "#shared/library/prompt-problems.ts";
import { openShareLink } from "#web/features/arrival/link-store.ts";
import { isTouchDevice } from "#web/features/composer/use-composer-focus.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { TeamField } from "#web/features/sharing/team-field.tsx";
import { useContentRights } from "#web/features/sharing/use-content-rights.ts";
import { CHANGED_ELSEWHERE, useKeptForm } from "#web/lib/kept-form.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { TextField } from "#web/ui/text-field.tsx";
import { ContentField } from "./content-field.tsx";
import { draftOf, isAdvanced, type PromptDraft, promptDrafts } from "./prompt-draft.ts";
import { SchedulePrompt } from "#web/features/schedules/schedule-prompt.tsx";
import { SettingsFields } from "./settings-fields.tsx";
import { useCreatePrompt, useDuplicatePrompt, useUpdatePrompt } from "./use-change-prompts.ts";

type PromptFormProps = {
  /** Null for a new one. */
  prompt: Prompt | null;
  /** What a new one is made of. */
  from?: string;
  onDone: () => void;
  /** A copy was made, which is changed next. */
  onCopied: (id: string) => void;
};

/** A prompt, to be made, changed, or where it is another's only looked at. */
export function PromptForm({ prompt, from = "", onDone, onCopied }: PromptFormProps) {
  const { user, features } = useSession();
  const headingId = useId();
  const form = useRef<HTMLFormElement>(null);
  const key = prompt?.id ?? `new ${user?.id ?? ""} ${from}`;
  const { draft, hasClash, change, insist, forget } = useKeptForm(promptDrafts, key, draftOf(prompt, from));
  const [newId] = useState(() => crypto.randomUUID());
  const [isTried, setIsTried] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const { rights, isOwn, keeper } = useContentRights()(prompt);
  const create = useCreatePrompt(key);
  const update = useUpdatePrompt(key);
  const duplicate = useDuplicatePrompt();
  const problems = isTried ? promptProblems(draft) : {};
  const isSaving = create.isPending || update.isPending;
  const failure = create.error ?? update.error;
  const leave = () => {
    forget();
    onDone();
  };
  useEffect(() => {
    if (!isTouchDevice()) form.current?.querySelector<HTMLElement>("input")?.focus();
  }, []);
  const save = () => {
    if (isSaving) return;
    setIsTried(true);
    if (Object.keys(promptProblems(draft)).length > 0) {
      // What is wrong is marked with the next drawing.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
      return;
    }
    // To be seen before it is replaced.
    setIsWarned(hasClash);
    if (hasClash) return insist();
    if (prompt === null) create.mutate({ id: newId, draft }, { onSuccess: onDone });
    else update.mutate({ prompt, draft }, { onSuccess: onDone });
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
      <div className="min-h-0 flex-1 overflow-y-auto px-20 pt-16 pb-20 desk:h-0 desk:px-24">
        <div className="flex min-h-32 flex-wrap items-center gap-x-8">
          <h3 id={headingId} className="min-w-0 flex-1 truncate font-serif max-[767px]:basis-full text-18 text-ink">
            {prompt === null ? "New prompt" : rights.edit ? "Edit prompt" : "Prompt"}
          </h3>
          {prompt !== null && (
            <Button
              size="sm"
              variant="quiet"
              className="max-[767px]:-ml-12"
              busy={duplicate.isPending}
              onClick={() => duplicate.mutate({ id: prompt.id, isOwn }, { onSuccess: ({ id }) => onCopied(id) })}
            >
              <Copy aria-hidden className="size-16" />
              Duplicate
            </Button>
          )}
          {prompt !== null && <SchedulePrompt prompt={prompt} />}
          {prompt !== null && rights.share && features?.shareLinks && (
            <Button
              size="sm"
              variant="quiet"
              className="-mr-12"
              onClick={() => openShareLink({ kind: "prompt", id: prompt.id, name: prompt.name })}
            >
              <Share2 aria-hidden className="size-16" />
              Share
            </Button>
          )}
        </div>
        <div className="mt-8 flex flex-col gap-16 min-[768px]:flex-row">
          <TextField
            className="min-w-0 flex-1"
            label="Name"
            autoComplete="off"
            maxLength={CONTENT_NAME_LENGTH}
            readOnly={!rights.edit}
            value={draft.name}
            error={problems.name}
            onChange={(event) => change({ name: event.target.value })}
          />
          {rights.edit && (
            <TeamField className="min-[768px]:w-208" isOwn={isOwn} value={draft.teamId} onChange={(teamId) => change({ teamId })} />
          )}
        </div>
        <ContentField value={draft.content} error={problems.content} readOnly={!rights.edit} onChange={(content) => change({ content })} />
        <Advanced isFirstOpen={isAdvanced(draft)}>
          <SettingsFields draft={draft} disabled={!rights.edit} onChange={change} />
        </Advanced>
      </div>
      <div className="flex shrink-0 items-center justify-end gap-8 border-t border-line px-20 pt-12 pb-[calc(12px+var(--safe-bottom))] desk:px-24">
        {failure || isWarned ? (
          <p role="alert" className="mr-auto min-w-0 text-13 text-danger">
            {isWarned ? CHANGED_ELSEWHERE : failure?.message}
          </p>
        ) : (
          <p className="mr-auto min-w-0 text-12 text-ink2">{rights.edit ? reachOf(prompt, draft, isOwn) : `${keeper} can change it.`}</p>
        )}
        <Button variant="quiet" onClick={leave}>
          {rights.edit ? "Cancel" : "Back"}
        </Button>
        {rights.edit && (
          <Button type="submit" variant="primary" busy={isSaving}>
            {prompt === null ? "Create prompt" : "Save changes"}
          </Button>
        )}
      </div>
    </form>
  );
}

function reachOf(prompt: Prompt | null, { teamId }: PromptDraft, isOwn: boolean): string {
  if (teamId === null) return prompt?.team_id ? `It will be ${isOwn ? "yours" : "its creator's"} alone again.` : "";
  return prompt?.team_id === teamId ? "Changes reach everybody in the team." : "Everybody in the team will have it.";
}

/** What a prompt sets besides its text; out of sight where it sets nothing. */
function Advanced({ isFirstOpen, children }: { isFirstOpen: boolean; children: ReactNode }) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(isFirstOpen);
  return (
    <section className="mt-16">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className="-ml-6 flex min-h-32 flex-wrap items-center gap-x-8 rounded-8 px-6 text-left touch:min-h-44"
      >
        <ChevronRight aria-hidden className={cx("size-16 text-ink2 transition-transform duration-120", isOpen && "rotate-90")} />
        <span className="text-13 font-medium text-ink">Advanced configuration</span>
        <span className="text-12 text-ink2">Set for the chat in which the prompt is used</span>
      </button>
      <div id={id} hidden={!isOpen} className="pt-12">
        {isOpen && children}
      </div>
    </section>
  );
}
