import { ArrowUp, SquareSlash, X } from "lucide-react";
import { type KeyboardEvent, memo, type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { Prompt } from "#shared/entities/prompt.ts";
import { MESSAGE_LENGTH } from "#shared/limits.ts";
import type { FilledPart } from "#shared/library/prompt-template.ts";
import type { Submitted } from "#web/features/conversation/queue/use-submit.ts";
import { writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { TeamBadge } from "#web/features/people/teams/team-badge.tsx";
import { counted } from "#web/lib/format.ts";
import { keysText } from "#web/lib/hotkeys.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { toastFailure } from "#web/ui/toast/toast.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { settingsOf } from "./apply-settings.ts";
import { type UsePlace, insertPrompt, spend } from "./begin-use.ts";
import { focusComposer, withoutTail } from "./insert-prompt.ts";
import { PromptChoices } from "./prompt-choices.tsx";
import { PromptFieldView } from "./prompt-fields.tsx";
import { type Use, endPromptUse } from "#web/features/conversation/composer/prompt-use-store.ts";
import { usePromptForm } from "./use-prompt-form.ts";
import { TemplateText } from "./template-text.tsx";

const SEND_KEYS = keysText({ keys: "Enter", mod: true });

type PromptFormProps = {
  at: UsePlace;
  prompt: Prompt;
  use: Use;
  canSend: boolean;
  onSend: (message: Pick<Submitted, "text" | "next" | "wanted">) => void;
};

/** Asks for what a prompt needs, beside what will be sent: in the composer's place, on phones as a drawer. */
export default function PromptForm({ at, prompt, use: { place, over, tail }, canSend, onSend }: PromptFormProps) {
  const { draftKey } = at;
  const form = usePromptForm(at, prompt, tail);
  const isMobile = useIsMobile();
  const [chosen, setChosen] = useState<ChatSettingsChange>({});
  const last = { ...over, ...chosen };
  // What was chosen over it here needs no look at whether the prompt's own still applies.
  const rest = withoutSettings(prompt, chosen);
  const [isSending, setIsSending] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const isReady = canSend && !form.isTooLong && !form.isBlank;
  useEffect(() => {
    if (!isMobile) box.current?.querySelector<HTMLElement>("[data-prompt-field]")?.focus({ preventScroll: true });
  }, [isMobile]);

  const close = () => {
    endPromptUse(draftKey);
    focusComposer(place?.to ?? null);
  };
  const insert = () => {
    const texts = form.finish();
    endPromptUse(draftKey);
    void insertPrompt(at, rest, { texts, place, over: last });
  };
  const send = async () => {
    if (!isReady || isSending) return;
    setIsSending(true);
    try {
      const wanted = { ...(await settingsOf(rest, at.user)), ...last };
      const [text = "", ...next] = form.finish();
      const left = withoutTail(draftKey, place);
      endPromptUse(draftKey);
      onSend({ text, next, wanted });
      // What else is written there is not this message's.
      if (left !== "") writeDraft(draftKey, left);
      spend(draftKey, prompt);
      focusComposer(null);
    } catch (error) {
      setIsSending(false);
      toastFailure("Failed to send", error);
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing || event.altKey) return;
    if (event.key === "Escape" && !isMobile) {
      event.stopPropagation();
      close();
    } else if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      void send();
    } else if (event.key === "Enter" && !event.shiftKey && isField(event.target)) {
      event.preventDefault();
      const next = nextField(event.currentTarget, event.target);
      if (next) next.focus();
      else void send();
    }
  };

  const fields = (
    <div className="flex flex-col gap-16">
      {form.useLast && (
        <Button size="sm" variant="outline" className="self-start" onClick={form.useLast}>
          Use last values
        </Button>
      )}
      {form.fields.map((field, index) => (
        <PromptFieldView
          key={field.key}
          field={field}
          isLast={index === form.fields.length - 1}
          value={form.values[field.key] ?? ""}
          note={form.noteOf(field.key)}
          onChange={(value) => form.change(field.key, value)}
        />
      ))}
    </div>
  );
  const problem = form.isTooLong && (
    <p role="alert" className="mb-8 text-13 text-danger">
      {`This message is too long. Shorten it to ${MESSAGE_LENGTH.toLocaleString("en")} characters.`}
    </p>
  );
  const buttons = (
    <>
      <Button size="sm" onClick={insert}>
        Insert
      </Button>
      <Tooltip label={canSend ? "Send" : "Files are on their way"} shortcut={SEND_KEYS}>
        <Button variant="primary" size="sm" disabled={!isReady} busy={isSending} onClick={() => void send()}>
          Send
          <ArrowUp aria-hidden className="size-14" />
        </Button>
      </Tooltip>
    </>
  );
  const choices = (className: string) => (
    <PromptChoices
      chatId={at.chatId}
      wanted={{ ...settingsIn(rest), ...last }}
      onChange={(change) => setChosen((before) => ({ ...before, ...change }))}
      className={className}
    />
  );
  const parts = {
    prompt,
    stepCount: form.stepCount,
    fields,
    preview: (
      <>
        {problem}
        <PromptPreview steps={form.preview} />
      </>
    ),
    choices,
    buttons,
    onKeyDown,
    onClose: close,
  };
  return isMobile ? <PromptDrawer {...parts} /> : <PromptPanel {...parts} ref={box} isInChat={at.chatId !== null} />;
}

/** The parts of the form, which stand in another order on a phone. */
type PromptFormParts = {
  prompt: Prompt;
  stepCount: number;
  fields: ReactNode;
  preview: ReactNode;
  choices: (className: string) => ReactNode;
  buttons: ReactNode;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onClose: () => void;
};

function PromptDrawer({ prompt, fields, preview, choices, buttons, onKeyDown, onClose }: PromptFormParts) {
  return (
    <Drawer
      open
      onOpenChange={(open) => !open && onClose()}
      side="bottom"
      title={prompt.name}
      footer={buttons}
      className="h-[min(664px,calc(100dvh-var(--safe-top)-24px))]"
    >
      {/* Keys of what is inside. */}
      <div role="presentation" onKeyDown={onKeyDown} className="px-20 pt-4 pb-20">
        {prompt.team_id !== null && (
          <p className="mb-12 flex">
            <TeamBadge teamId={prompt.team_id} />
          </p>
        )}
        {fields}
        <div className="mt-20 border-t border-line pt-16">{preview}</div>
        {choices("mt-16 -mx-8")}
      </div>
    </Drawer>
  );
}

type PromptPanelProps = PromptFormParts & { ref: Ref<HTMLDivElement>; isInChat: boolean };

function PromptPanel({ ref, prompt, stepCount, fields, preview, choices, buttons, isInChat, onKeyDown, onClose }: PromptPanelProps) {
  return (
    <div
      ref={ref}
      // In the composer's place and not modal: the tag would bring a behaviour of its own.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="dialog"
      aria-label={`Use ${prompt.name}`}
      data-print="hide"
      className={cx(
        "z-10 flex overflow-hidden rounded-18 border border-line bg-s2 text-ink shadow-composer",
        isInChat && "absolute inset-x-16 bottom-16 min-h-[calc(100%-16px)]",
      )}
    >
      {/* Keys of what is inside. */}
      <div role="presentation" onKeyDown={onKeyDown} className="flex max-h-[min(560px,calc(100dvh-120px))] min-w-0 flex-1 flex-col">
        <div className="flex h-48 shrink-0 items-center gap-8 border-b border-line pr-8 pl-20">
          <SquareSlash aria-hidden className="size-16 shrink-0 text-ink2" />
          <h2 className="min-w-0 truncate text-14 font-semibold" dir="auto">
            {prompt.name}
          </h2>
          <TeamBadge teamId={prompt.team_id} />
          {stepCount > 1 && <span className="shrink-0 text-12 text-ink2">{counted(stepCount, "step")}</span>}
          <IconButton label="Close" icon={X} tooltip={false} className="ml-auto" onClick={() => onClose()} />
        </div>
        <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,288px)_minmax(0,1fr)]">
          <div className="overflow-y-auto overscroll-contain border-r border-line px-20 py-16">{fields}</div>
          {/* Scrolled by keys too. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div className="overflow-y-auto overscroll-contain px-20 py-16" tabIndex={0} role="region" aria-label="What is sent">
            {preview}
          </div>
        </div>
        <div className="flex shrink-0 items-center gap-8 border-t border-line px-12 py-10">
          {choices("min-w-0 flex-1")}
          {buttons}
        </div>
      </div>
    </div>
  );
}

/** The settings that a prompt names. */
function settingsIn({ model_id, persona_id, tool_categories, context_ids }: Prompt): ChatSettingsChange {
  return {
    ...(model_id !== null && { model_id }),
    ...(persona_id !== null && { persona_id }),
    ...(tool_categories !== null && { tool_categories }),
    ...(context_ids !== null && { context_ids }),
  };
}

/** A prompt that leaves open what was chosen in its place. */
function withoutSettings(prompt: Prompt, chosen: ChatSettingsChange): Prompt {
  return {
    ...prompt,
    ...("model_id" in chosen && { model_id: null }),
    ...("persona_id" in chosen && { persona_id: null }),
    ...("tool_categories" in chosen && { tool_categories: null }),
    ...("context_ids" in chosen && { context_ids: null }),
  };
}

function isField(target: EventTarget): target is HTMLElement {
  return target instanceof HTMLElement && target.matches("[data-prompt-field], input[type=radio]");
}

/** The field after another; undefined after the last one. */
function nextField(form: HTMLElement, from: HTMLElement): HTMLElement | undefined {
  const all = [...form.querySelectorAll<HTMLElement>("[data-prompt-field]")];
  return all[all.indexOf(from) + 1];
}

/** What is sent, step by step, with what was filled in and what is still open marked. */
const PromptPreview = memo(function PromptPreview({ steps }: { steps: readonly FilledPart[][] }) {
  return (
    <div role="group" aria-label="Preview" className="text-15">
      {steps.map((parts, index) => (
        // A step has no identity but its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className="not-first:mt-12 not-first:border-t not-first:border-line not-first:pt-12">
          <p className="mb-6 text-13 text-ink2">{steps.length === 1 ? "Preview" : `Step ${index + 1} of ${steps.length}`}</p>
          <p data-prompt-preview className="break-words whitespace-pre-wrap text-ink" dir="auto">
            <TemplateText parts={index === 0 ? parts : parts.map(asLater)} />
          </p>
        </div>
      ))}
    </div>
  );
});

/** The answer before a later step is known as that step begins: nothing is missing there. */
function asLater(part: FilledPart): { kind: string; text: string } {
  return part.kind === "open" && part.text.includes("LAST_ANSWER") ? { kind: "built_in", text: part.text } : part;
}
