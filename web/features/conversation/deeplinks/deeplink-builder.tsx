import { Check, CircleHelp, Copy, ExternalLink } from "lucide-react";
import { useEffect, useId, useState, type ComponentProps } from "react";
import { useMutation } from "@tanstack/react-query";
import { createPrompt } from "#shared/contracts/library/prompts.ts";
import type { Prompt } from "#shared/entities/prompt.ts";
import { parsePrompt } from "#shared/library/prompt-template.ts";
import { KnowledgeField } from "#web/features/library/knowledge/knowledge-field.tsx";
import { useCopy } from "#web/lib/use-copy.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { usePrompts } from "#web/features/library/prompts/use-prompts.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useNamedWithTeam } from "#web/features/people/teams/use-content-rights.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/tabs.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { listStatus } from "#web/features/conversation/models/list-status.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { selectableModels } from "#web/features/conversation/models/selector-models.ts";
import { modelName, useModels } from "#web/features/conversation/models/use-models.ts";
import { PickedField } from "#web/features/library/kit/picked-field.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { call } from "#web/lib/api.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { type BuilderState, isTooLong, linkOf, openChoices } from "./builder-state.ts";
import { type Deeplink, deeplinkPath, DEEPLINK_LENGTH } from "./deeplink.ts";
import { DeeplinkDocs } from "./deeplink-docs.tsx";
import { DeeplinkText } from "./deeplink-text.tsx";

const EMPTY: BuilderState = { tab: "prompt", prompt: "", template: "", model: null, persona: "", knowledge: [], autoSettings: false };

type DeeplinkBuilderProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Puts a link together that opens a new chat set up as wanted. */
export function DeeplinkBuilder({ open, onOpenChange }: DeeplinkBuilderProps) {
  const id = useId();
  const { isGuest } = useSession();
  const { personas } = usePersonas();
  const { prompts } = usePrompts();
  const labelOf = useNamedWithTeam();
  const [state, setState] = useState(EMPTY);
  const [isExplaining, setIsExplaining] = useState(false);
  const change = (next: Partial<BuilderState>) => setState((before) => ({ ...before, ...next }));
  const link = linkOf(state);
  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        title="Deeplink builder"
        subtitle="The link opens a new chat set up as below. It fills in the message but never sends it."
        width={680}
        bare
        footer={
          <>
            <Button variant="quiet" className="mr-auto -ml-14" onClick={() => setIsExplaining(true)}>
              <CircleHelp aria-hidden className="size-16" />
              How deeplinks work
            </Button>
            <Button onClick={() => onOpenChange(false)}>Done</Button>
          </>
        }
      >
        <div className="flex min-w-0 flex-1 flex-col overflow-y-auto">
          <div className="space-y-16 px-24 pb-20">
            <Tabs value={state.tab} onValueChange={(tab) => change({ tab: tab === "template" ? "template" : "prompt" })}>
              <TabList label="What the link fills in" className="mb-16 flex gap-8 border-b border-line *:px-0 *:not-last:mr-16">
                <Tab value="prompt">Use Prompt</Tab>
                <Tab value="template">Use Template</Tab>
              </TabList>
              <TabPanel value="prompt">
                <div className="relative">
                  <FieldLabel htmlFor={`${id}-prompt`} label="Prompt" />
                  <span className="absolute top-0 right-0 text-12 text-ink2 tabular-nums">
                    {`${state.prompt.length.toLocaleString("en")} characters`}
                  </span>
                  <textarea
                    id={`${id}-prompt`}
                    dir="auto"
                    value={state.prompt}
                    onChange={(event) => change({ prompt: event.target.value })}
                    className={cx(fieldClass, "block h-78 resize-y py-8 text-14 touch:text-16")}
                  />
                </div>
              </TabPanel>
              <TabPanel value="template">
                <FieldLabel id={`${id}-template`} label="Template" />
                {prompts.length === 0 ? (
                  <p className="text-14 text-ink2">
                    {isGuest ? "Sign in to use prompts of your own." : "You haven't created any prompts yet."}
                  </p>
                ) : (
                  <Select
                    label="Template"
                    className="w-full"
                    value={state.template}
                    options={[
                      { value: "", label: "Choose a prompt", isPrompt: true },
                      ...prompts.map((prompt) => ({ value: prompt.id, label: labelOf(prompt) })),
                    ]}
                    onChange={(template) => change({ template })}
                  />
                )}
              </TabPanel>
            </Tabs>
            <div className="grid gap-16 min-[520px]:grid-cols-2">
              <ModelChoice
                value={state.model}
                placeholder={state.autoSettings ? "Autopilot chooses" : "The usual model"}
                onChange={(model) => change({ model })}
              />
              <div className="min-w-0">
                <FieldLabel id={`${id}-persona`} label="Persona" isOptional />
                <Select
                  label="Persona"
                  className="w-full"
                  value={state.persona}
                  options={[
                    { value: "", label: "The usual persona", isPrompt: true },
                    ...personas.map((persona) => ({ value: persona.id, label: labelOf(persona) })),
                  ]}
                  onChange={(persona) => change({ persona })}
                />
              </div>
            </div>
            {!isGuest && <KnowledgeField value={state.knowledge} isOptional unset="None" onChange={(knowledge) => change({ knowledge })} />}
            <div className="flex items-start gap-16">
              <div className="min-w-0 flex-1">
                <p className="text-13 font-medium text-ink">Enable Auto Settings</p>
                <p className="mt-2 text-13 text-ink2">{openChoices(state)}</p>
              </div>
              <Switch
                label="Enable Auto Settings"
                checked={state.autoSettings}
                onChange={(event) => change({ autoSettings: event.target.checked })}
              />
            </div>
          </div>
          {isTooLong(link, location.origin) ? (
            <SaveAsPrompt
              text={state.prompt}
              isGuest={isGuest}
              onPromptSaved={(prompt) => change({ tab: "template", template: prompt.id })}
            />
          ) : (
            <LinkZone link={link} />
          )}
        </div>
      </Dialog>
      <DeeplinkDocs open={open && isExplaining} onOpenChange={setIsExplaining} />
    </>
  );
}

function LinkZone({ link }: { link: Deeplink }) {
  const { state, copy } = useCopy();
  const url = `${location.origin}${deeplinkPath(link)}`;
  useEffect(() => {
    if (state === "failed") toast({ title: "Failed to copy to clipboard", tone: "danger" });
  }, [state]);
  return (
    <section aria-label="Link" className="border-t border-line bg-s1 px-24 py-16">
      <div className="flex items-center gap-8">
        <p className="min-w-0 flex-1 text-13 font-medium text-ink">
          Link
          <span className="ml-8 text-12 font-normal text-ink2 tabular-nums">{`${url.length.toLocaleString("en")} characters`}</span>
        </p>
        <a
          href={url}
          target="_blank"
          rel="noopener"
          className="inline-flex h-32 items-center gap-8 rounded-8 px-12 text-13 font-medium text-ink2 hover:bg-s3 hover:text-ink touch:h-44"
        >
          <ExternalLink aria-hidden className="size-14" />
          Open
        </a>
        <Button variant="primary" size="sm" onClick={() => copy(url)}>
          {state === "copied" ? <Check aria-hidden className="size-14" /> : <Copy aria-hidden className="size-14" />}
          {state === "copied" ? "Copied" : "Copy"}
        </Button>
      </div>
      <section
        // A long link is scrolled, with the keyboard too.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="Generated URL"
        className="mt-8 max-h-120 overflow-y-auto rounded-6 font-mono text-13 leading-[20px] break-all text-ink"
      >
        <DeeplinkText link={link} />
      </section>
    </section>
  );
}

type FieldLabelProps = { label: string; isOptional?: boolean } & (
  | { id: string; htmlFor?: undefined }
  | { id?: undefined; htmlFor: string }
);

/** A field's name, and whether it may stay empty. */
function FieldLabel({ label, isOptional = false, id, htmlFor }: FieldLabelProps) {
  const labelRow = (
    <>
      {label}
      {isOptional && <span className="ml-8 font-normal text-ink2">optional</span>}
    </>
  );
  const look = "mb-6 block text-13 font-medium text-ink";
  return htmlFor === undefined ? (
    <p id={id} className={look}>
      {labelRow}
    </p>
  ) : (
    <label htmlFor={htmlFor} className={look}>
      {labelRow}
    </label>
  );
}

type PickerProps = ComponentProps<typeof import("#web/features/conversation/models/model-picker.tsx").default>;

const ModelPicker = lazyPart<PickerProps>(async () => (await import("#web/features/conversation/models/model-picker.tsx")).default);

type ModelChoiceProps = { value: string | null; onChange: (id: string | null) => void; placeholder: string };

/** The model that a link names, or none. */
function ModelChoice({ value, onChange, placeholder }: ModelChoiceProps) {
  const { user } = useSession();
  const catalogue = useModels();
  const models = catalogue.data?.models ?? [];
  return (
    <PickedField
      label="Model"
      isOptional
      unset={placeholder}
      onClear={value === null ? null : () => onChange(null)}
      value={
        value === null ? null : (
          <>
            <ModelTile id={value} name={modelName(models, value)} />
            <span className="min-w-0 truncate">{modelName(models, value)}</span>
          </>
        )
      }
      renderPicker={(place) => (
        <ModelPicker
          {...place}
          label="Model"
          models={selectableModels(models, user?.model_allowlist ?? null)}
          hasAutopilot
          status={listStatus(catalogue)}
          selectedId={value ?? ""}
          onRetry={() => void catalogue.refetch()}
          onPick={({ id }) => {
            place.onClose();
            onChange(id);
          }}
        />
      )}
    />
  );
}

type KeepAsPromptProps = { text: string; isGuest: boolean; onPromptSaved: (prompt: Prompt) => void };

/** Stands in the link's place where the text is too long for one: kept as a prompt, it is named by the link instead. */
function SaveAsPrompt({ text, isGuest, onPromptSaved }: KeepAsPromptProps) {
  const keeping = useMutation({
    mutationFn: () => call(createPrompt, { body: { name: promptNameOf(text), content: text } }),
    onSuccess: ({ prompt }) => {
      void queryClient.invalidateQueries({ queryKey: keys.prompts });
      onPromptSaved(prompt);
    },
    onError: (error) => toast({ title: "The prompt was not saved", description: error.message, tone: "danger" }),
  });
  const problem = promptSyntaxProblem(text);
  return (
    <section aria-label="Link" className="flex flex-wrap items-center gap-12 border-t border-line bg-s1 px-24 py-16">
      <p className="min-w-240 flex-1 text-13 text-ink2">
        {`This text is too long for a link, which may have ${DEEPLINK_LENGTH.toLocaleString("en")} characters. `}
        {problem !== null
          ? `Shorten it: it can't be saved as a prompt, ${problem}.`
          : isGuest
            ? "Shorten it, or sign in to save it as a prompt."
            : "Saved as one of your prompts, the link can name it instead. Such a link works for you, and for a team that you share the prompt with."}
      </p>
      {!isGuest && problem === null && (
        <Button variant="primary" size="sm" busy={keeping.isPending} onClick={() => keeping.mutate()}>
          Save as prompt
        </Button>
      )}
    </section>
  );
}

/** Why a link's text, which is taken as it stands, would not be as a prompt, where places are filled in and `---` parts steps; null where it would. */
export function promptSyntaxProblem(text: string): string | null {
  const steps = parsePrompt(text);
  if (steps.length > 1) return "as its lines of --- would make steps of it";
  const place = steps.flat().find(({ kind }) => kind !== "text");
  return place === undefined ? null : `which would fill in ${place.text}`;
}

const NAME_LENGTH = 60;

/** A name for a text that is kept as a prompt: how it begins. */
export function promptNameOf(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length <= NAME_LENGTH ? line : `${characters.slice(0, NAME_LENGTH).join("").trim()}…`;
}
