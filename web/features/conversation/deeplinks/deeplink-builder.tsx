import { Check, CircleHelp, Copy, ExternalLink } from "lucide-react";
import { useEffect, useId, useState } from "react";
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
import { type BuilderState, isTooLong, linkOf, openChoices } from "./builder-state.ts";
import { type Deeplink, deeplinkPath } from "./deeplink.ts";
import { DeeplinkDocs } from "./deeplink-docs.tsx";
import { DeeplinkText } from "./deeplink-text.tsx";
import { FieldLabel } from "./field-label.tsx";
import { SaveAsPrompt } from "./save-as-prompt.tsx";
import { ModelChoice } from "./model-choice.tsx";

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
