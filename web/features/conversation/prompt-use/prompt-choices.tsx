import { BookOpen, ChevronDown, Drama, Wrench } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { Model } from "#shared/entities/model.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { shortPersonaName } from "#shared/library/personas.ts";
import { toggledKnowledge, useChosenKnowledge } from "#web/features/conversation/chat-settings/use-chosen-knowledge.ts";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { openProDialog } from "#web/features/conversation/models/access-store.ts";
import { listStatus } from "#web/features/conversation/models/list-status.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { barrierOf, selectableModels } from "#web/features/conversation/models/selector-models.ts";
import { useModelName, useModels, useShortModelName } from "#web/features/conversation/models/use-models.ts";
import { useSelectedModel } from "#web/features/conversation/models/use-selected-model.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { useSelectedPersona } from "#web/features/conversation/persona-use/use-selected-persona.ts";
import { optionalAmong, toggled, toolCountText } from "#web/features/conversation/tools/optional-categories.ts";
import { useToolChoice } from "#web/features/conversation/tools/use-tool-choice.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

type PickerProps = ComponentProps<typeof import("#web/features/conversation/models/model-picker.tsx").default>;
type PersonaProps = ComponentProps<typeof import("#web/features/library/personas/persona-list-popup.tsx").default>;
type KnowledgeProps = ComponentProps<typeof import("#web/features/library/knowledge/knowledge-picker-popup.tsx").default>;
type ToolProps = ComponentProps<typeof import("#web/features/conversation/tools/tool-picker-popup.tsx").default>;

const ModelPicker = lazyPart<PickerProps>(async () => (await import("#web/features/conversation/models/model-picker.tsx")).default);
const PersonaList = lazyPart<PersonaProps>(async () => (await import("#web/features/library/personas/persona-list-popup.tsx")).default);
const KnowledgeList = lazyPart<KnowledgeProps>(
  async () => (await import("#web/features/library/knowledge/knowledge-picker-popup.tsx")).default,
);
const ToolList = lazyPart<ToolProps>(async () => (await import("#web/features/conversation/tools/tool-picker-popup.tsx")).default);

type What = "model" | "persona" | "tools" | "knowledge";

type PromptChoicesProps = {
  chatId: string | null;
  /** What the prompt sets, with what was chosen here over it. */
  wanted: ChatSettingsChange;
  onChange: (change: ChatSettingsChange) => void;
  className: string;
};

/** What a prompt is sent with, each to be changed for this use of it; where the prompt leaves it open, what the chat has. */
export function PromptChoices({ chatId, wanted, onChange, className }: PromptChoicesProps) {
  const { user } = useSession();
  const catalogue = useModels();
  const { modelId, persona, offered, tools, entries, contexts } = useChosen(chatId, wanted);
  const [name, short] = [useModelName(modelId), useShortModelName(modelId)];
  const [anchor, setAnchor] = useState<{ what: What; element: HTMLElement } | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  const opener = (what: What) => ({
    isOpen: isOpen && anchor?.what === what,
    onOpen: (element: HTMLElement) => {
      setIsOpen(!(isOpen && anchor?.what === what));
      setAnchor({ what, element });
    },
  });
  const pickModel = (model: Model) => {
    close();
    if (barrierOf(model, user) === "none") onChange({ model_id: model.id });
    else openProDialog(model);
  };
  return (
    // The keys of an open list are its own: the form would take Escape for its end.
    <div
      role="presentation"
      onKeyDown={(event) => isOpen && event.stopPropagation()}
      className={cx("flex flex-wrap items-center gap-4", className)}
    >
      <Choice label="Model of this message" icon={<ModelTile id={modelId} name={name} />} text={short} {...opener("model")} />
      <Choice
        label="Persona of this message"
        icon={<Drama aria-hidden className="size-16 shrink-0" />}
        text={persona ? shortPersonaName(persona.name) : "No persona"}
        {...opener("persona")}
      />
      {modelId !== AUTOPILOT_MODEL_ID && offered.length > 0 && (
        <Choice
          label="Tools of this message"
          icon={<Wrench aria-hidden className="size-16 shrink-0" />}
          text={toolCountText(tools.length)}
          {...opener("tools")}
        />
      )}
      {entries.length > 0 && (
        <Choice
          label="Knowledge of this message"
          icon={<BookOpen aria-hidden className="size-16 shrink-0" />}
          text={knowledgeText(entries.filter(({ id }) => contexts.includes(id)))}
          {...opener("knowledge")}
        />
      )}
      {anchor?.what === "model" && (
        <ModelPicker
          key="model"
          open={isOpen}
          anchor={anchor.element}
          label="Model of this message"
          models={selectableModels(catalogue.data?.models ?? [], user?.model_allowlist ?? null)}
          hasAutopilot
          status={listStatus(catalogue)}
          selectedId={modelId}
          onRetry={() => void catalogue.refetch()}
          onPick={pickModel}
          onClose={close}
        />
      )}
      {anchor?.what === "persona" && (
        <PersonaList
          key="persona"
          open={isOpen}
          anchor={anchor.element}
          selectedId={persona?.id ?? null}
          onPick={(id) => {
            close();
            onChange({ persona_id: id ?? "" });
          }}
          onClose={close}
        />
      )}
      {anchor?.what === "tools" && (
        <ToolList
          key="tools"
          open={isOpen}
          anchor={anchor.element}
          offered={offered}
          chosen={tools}
          hasSettings={false}
          onToggle={(id) => onChange({ tool_categories: toggled(tools, id) })}
          onClose={close}
        />
      )}
      {anchor?.what === "knowledge" && (
        <KnowledgeList
          key="knowledge"
          open={isOpen}
          anchor={anchor.element}
          chosen={contexts}
          hasManager={false}
          onToggle={(id) => {
            const next = toggledKnowledge(contexts, id);
            if (next) onChange({ context_ids: next });
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

/** What the message is sent with: the chat's own where neither the prompt nor a choice here says otherwise. */
function useChosen(chatId: string | null, wanted: ChatSettingsChange) {
  const { personas } = usePersonas();
  const { entries } = useKnowledge();
  const own = {
    model: useSelectedModel(chatId),
    persona: useSelectedPersona(chatId).persona,
    tools: useToolChoice(chatId),
    knowledge: useChosenKnowledge(chatId).chosen,
  };
  const { offered } = own.tools;
  const isNoPersona = wanted.persona_id === "";
  return {
    modelId: wanted.model_id ?? own.model.modelId,
    persona: isNoPersona ? null : (personas.find(({ id }) => id === wanted.persona_id) ?? own.persona),
    offered,
    tools: wanted.tool_categories ? optionalAmong(wanted.tool_categories, offered) : own.tools.categories,
    entries,
    contexts: wanted.context_ids ?? own.knowledge,
  };
}

/** One entry by its name, several by their number. */
function knowledgeText(entries: readonly { name: string }[]): string {
  const [first] = entries;
  if (first === undefined) return "No knowledge";
  return entries.length === 1 ? first.name : `${entries.length} entries`;
}

type ChoiceProps = { label: string; icon: ReactNode; text: string; isOpen: boolean; onOpen: (element: HTMLElement) => void };

function Choice({ label, icon, text, isOpen, onOpen }: ChoiceProps) {
  const id = useId();
  return (
    <button
      type="button"
      aria-label={label}
      aria-describedby={id}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={(event) => onOpen(event.currentTarget)}
      className="inline-flex h-32 min-w-0 items-center gap-8 rounded-8 px-8 text-13 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink aria-expanded:bg-s3 aria-expanded:text-ink touch:h-44"
    >
      {icon}
      <span id={id} className="truncate">
        {text}
      </span>
      <ChevronDown aria-hidden className="-ml-2 size-14 shrink-0" />
    </button>
  );
}
