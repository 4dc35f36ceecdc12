import { ChevronRight, Copy } from "lucide-react";
import { type ComponentType, type ReactNode, useDeferredValue, useId, useRef, useState } from "react";
import type { Prompt } from "#shared/entities/prompt.ts";
import { promptProblems } from "#shared/library/prompt-problems.ts";
import { EntryForm, ShareEntry } from "#web/features/library/kit/entry-form.tsx";
import { useEntryForm } from "#web/features/library/kit/use-entry-form.ts";
import { TeamField } from "#web/features/people/teams/team-field.tsx";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { fieldClass, TextField } from "#web/ui/text-field.tsx";
import { draftOf, isAdvanced, type PromptDraft, promptDrafts } from "./prompt-draft.ts";
import { useCreatePrompt, useDuplicatePrompt, useUpdatePrompt } from "./use-change-prompts.ts";
import { parseTemplate } from "#shared/library/prompt-template.ts";
import { useAutosize } from "#web/lib/use-autosize.ts";
import { contentFacts } from "./content-facts.ts";

/** Longer texts are written without marks, as each key would draw all of them again. */
const MARKED_LENGTH = 20_000;

/** The same letters in the same places as those of the field: what is marked lies under them. */
const textClass =
  "px-11 py-8 text-14 leading-20 touch:text-16 touch:leading-24 whitespace-pre-wrap break-words [scrollbar-gutter:stable] not-supports-[scrollbar-gutter:stable]:overflow-y-scroll";

type ContentFieldProps = { value: string; error: string | undefined; readOnly: boolean; onChange: (value: string) => void };

/** What a prompt says, with its places marked, and below it what they mean. */
function ContentField({ value, error, readOnly, onChange }: ContentFieldProps) {
  const id = useId();
  const marks = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field);
  const drawn = useDeferredValue(value);
  return (
    <div className="mt-16">
      <div className="mb-6 flex items-baseline gap-8 text-13">
        <label htmlFor={id} className="min-w-0 flex-1 font-medium text-ink">
          Content
        </label>
        <span className="text-12 text-ink2 tabular-nums">{`${value.length.toLocaleString("en")} characters`}</span>
      </div>
      <div className="relative rounded-8 bg-s2">
        <div
          ref={marks}
          aria-hidden
          className={cx(textClass, "absolute inset-0 overflow-hidden border border-transparent text-transparent")}
        >
          {drawn.length <= MARKED_LENGTH && <Marked text={drawn} />}
        </div>
        <textarea
          ref={field}
          id={id}
          dir="auto"
          readOnly={readOnly}
          spellCheck={!readOnly}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${error ? `${id}-error ` : ""}${id}-hint`}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onScroll={(event) => marks.current?.scrollTo({ top: event.currentTarget.scrollTop })}
          className={cx(fieldClass, textClass, "relative block max-h-320 min-h-192 resize-none bg-transparent! [field-sizing:content]")}
        />
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-6 text-13 text-danger">
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className="mt-6 text-12 text-ink2">
        <Facts content={drawn} />
      </p>
    </div>
  );
}

function Marked({ text }: { text: string }) {
  // A part has no identity but its place. The line after the last break has to be as high as the field's.
  const parts = parseTemplate(text).map((part, index) => {
    const key = `${index} ${part.kind}`;
    if (part.kind === "text") return <span key={key}>{part.text}</span>;
    const look = part.kind === "variable" ? "bg-accent-soft outline-accent-soft" : "bg-s3 outline-s3";
    return (
      <mark key={key} className={cx("rounded-[3px] text-transparent outline-2", look)}>
        {part.text}
      </mark>
    );
  });
  return (
    <>
      {parts}
      {"\n"}
    </>
  );
}

function Facts({ content }: { content: string }) {
  const { asks, fills, steps } = contentFacts(content);
  return (
    <>
      {asks.length === 0 ? (
        "Write {{name}} where something is to be asked for."
      ) : (
        <>
          Asks for{" "}
          {asks.map((name, index) => (
            <span key={name}>
              {index === 0 ? "" : index === asks.length - 1 ? " and " : ", "}
              <b className="font-medium text-ink">{name}</b>
            </span>
          ))}
          {asks.length === 1 ? ", once." : ", once each."}
        </>
      )}
      {fills !== null && ` ${fills}`}
      {steps > 1 ? ` Runs in ${steps} steps.` : " A line of --- begins the next step."}
    </>
  );
}

/** What a prompt sets for its chat, and when it is sent by itself: parts of the form from where chats are. */
export type PromptFormParts = {
  Settings: ComponentType<{ draft: PromptDraft; disabled: boolean; onChange: (fields: Partial<PromptDraft>) => void }>;
  Schedule: ComponentType<{ prompt: Prompt }>;
};

type PromptFormProps = {
  parts: PromptFormParts;
  /** Null for a new one. */
  prompt: Prompt | null;
  /** What a new one is made of. */
  from?: string;
  onDone: () => void;
  /** A copy was made, which is changed next. */
  onCopied: (id: string) => void;
};

/** A prompt, to be made, changed, or where it is another's only looked at. */
export function PromptForm({ parts, prompt, from = "", onDone, onCopied }: PromptFormProps) {
  const form = useEntryForm({
    entry: prompt,
    drafts: promptDrafts,
    saved: draftOf(prompt, from),
    from,
    problemsOf: promptProblems,
    focused: "input",
    onDone,
  });
  const { draft, change, problems, rights, isOwn } = form;
  const create = useCreatePrompt(form.key);
  const update = useUpdatePrompt(form.key);
  const duplicate = useDuplicatePrompt();
  const save = () => {
    if (prompt === null) create.mutate({ id: form.newId, draft }, { onSuccess: onDone });
    else update.mutate({ prompt, draft }, { onSuccess: onDone });
  };
  return (
    <EntryForm
      form={form}
      changes={[create, update]}
      saveLabel={prompt === null ? "Create prompt" : "Save changes"}
      note={audienceNote(prompt, draft, isOwn)}
      onSave={save}
    >
      <div className="min-h-0 flex-1 overflow-y-auto px-20 pt-16 pb-20 desk:h-0 desk:px-24">
        <div className="flex min-h-32 flex-wrap items-center gap-x-8">
          <h3 id={form.titleId} className="min-w-0 flex-1 truncate font-serif max-[767px]:basis-full text-18 text-ink">
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
          {prompt !== null && <parts.Schedule prompt={prompt} />}
          {prompt !== null && <ShareEntry item={{ kind: "prompt", id: prompt.id, name: prompt.name }} rights={rights} className="-mr-12" />}
        </div>
        <div className="mt-8 flex flex-col gap-16 min-[768px]:flex-row">
          <TextField {...form.nameField} className="min-w-0 flex-1" onChange={(event) => change({ name: event.target.value })} />
          {rights.edit && (
            <TeamField className="min-[768px]:w-208" isOwn={isOwn} value={draft.teamId} onChange={(teamId) => change({ teamId })} />
          )}
        </div>
        <ContentField value={draft.content} error={problems.content} readOnly={!rights.edit} onChange={(content) => change({ content })} />
        <Advanced isFirstOpen={isAdvanced(draft)}>
          <parts.Settings draft={draft} disabled={!rights.edit} onChange={change} />
        </Advanced>
      </div>
    </EntryForm>
  );
}

function audienceNote(prompt: Prompt | null, { teamId }: PromptDraft, isOwn: boolean): string {
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
