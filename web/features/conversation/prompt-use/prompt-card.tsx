import { CornerDownRight } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import type { PromptSummary } from "#shared/entities/prompt.ts";
import { parsePrompt, parseTemplate, type TemplatePart } from "#shared/library/prompt-template.ts";
import { builtInLabel } from "#web/features/library/prompts/content-facts.ts";
import { TeamBadge } from "#web/features/people/teams/team-badge.tsx";
import { counted } from "#web/lib/format.ts";
import { cx } from "#web/ui/cx.ts";
import { Kbd } from "#web/ui/kbd.tsx";
import type { PickerDetailsProps } from "#web/ui/picker/picker-kind.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { useCategories } from "#web/features/conversation/tools/use-categories.ts";
import type { PromptItem } from "./prompt-item.ts";
import { TemplateText } from "./template-text.tsx";
import { usePromptContent } from "./read-prompt.ts";

/** How long a prompt is highlighted before all of it is read, in milliseconds: less than a glance, more than a key in passing. */
const READ_AFTER_MS = 120;
/** The card is as high as the list beside it, with this room for texts and facts, in CSS pixels. */
const ROOM_PX = 226;
const LINE_PX = 20;
const STEP_PX = 28;
const FACT_PX = 26;
/** Lines of the first step, and further steps, that are shown where there is room. */
const LINES = 6;
const STEPS = 3;
/** Characters of a step that the card shows; the rest is cut by its height. */
const STEP_SHOWN = 600;

/** What there is to know about a prompt before using it: its text with what it asks for marked, its further steps and what it sets. */
export function PromptCard({ item, isTouch }: PickerDetailsProps<PromptItem>) {
  return (
    <div className="flex flex-1 flex-col text-13 text-ink2">
      {!isTouch && (
        <p className="mb-8 flex items-center gap-8">
          <span className="min-w-0 flex-1 truncate text-14 font-semibold text-ink" dir="auto">
            {item.name}
          </span>
          {item.kind === "prompt" && <TeamBadge teamId={item.prompt.team_id} />}
        </p>
      )}
      {item.kind === "prompt" ? <Content item={item} isTouch={isTouch} /> : <p>{item.about}</p>}
      {!isTouch && (
        <p aria-hidden className="mt-auto flex gap-16 pt-16 text-12 text-ink2">
          <span>
            <Kbd>↑ ↓</Kbd> Move
          </span>
          <span>
            <Kbd>↵</Kbd> {item.kind === "prompt" ? "Use" : "Open"}
          </span>
          <span className="ml-auto">
            <Kbd>esc</Kbd> Close
          </span>
        </p>
      )}
    </div>
  );
}

type ContentProps = { item: Extract<PromptItem, { kind: "prompt" }>; isTouch: boolean };

function Content({ item: { id, prompt }, isTouch }: ContentProps) {
  const full = usePromptContent(useSettled(id));
  // The beginning that the list has is all there is of most.
  const steps = full?.id === id ? parsePrompt(full.content) : [parseTemplate(prompt.preview)];
  const [first = [], ...others] = steps.map((parts) => shorten(parts.map(toReadable)));
  const { lines, shown } = isTouch ? { lines: LINES, shown: STEPS } : fitting(others.length, factsOf(prompt));
  return (
    <>
      <p className="line-clamp-6 break-words whitespace-pre-wrap" style={{ WebkitLineClamp: lines }} dir="auto">
        <TemplateText parts={first} />
      </p>
      {others.slice(0, shown).map((parts, index) => (
        <p key={`step ${index + 2}`} className="mt-8 flex gap-8">
          <CornerDownRight aria-hidden className="mt-2 size-14 shrink-0" />
          <span className={cx("break-words", isTouch ? "line-clamp-2" : "line-clamp-1")} dir="auto">
            <TemplateText parts={parts} />
          </span>
        </p>
      ))}
      {others.length > shown && <p className="mt-8 ml-22">{`and ${counted(others.length - shown, "more step")}`}</p>}
      <PromptFacts wanted={prompt} />
    </>
  );
}

/** A place by what it asks for or has: its braces are for whoever writes the prompt. */
function toReadable(part: TemplatePart): { kind: string; text: string } {
  if (part.kind === "text") return part;
  return { kind: part.kind, text: part.kind === "variable" ? part.variable.name : builtInLabel(part.name) };
}

function factsOf({ model_id: model, persona_id: persona, tool_categories: tools, context_ids: contexts }: PromptSummary): number {
  return [model !== null, persona !== null, (tools ?? []).length > 0, (contexts ?? []).length > 0].filter(Boolean).length;
}

/** How many lines of the first step and how many further steps fit above the facts: as many steps as leave three lines. */
function fitting(steps: number, facts: number): { lines: number; shown: number } {
  const room = ROOM_PX - (facts > 0 ? FACT_PX * (facts + 1) - 7 : 0);
  const linesBeside = (shown: number) => Math.floor((room - STEP_PX * (shown + (steps > shown ? 1 : 0))) / LINE_PX);
  let shown = Math.min(steps, STEPS);
  while (shown > 0 && linesBeside(shown) < 3) shown -= 1;
  return { lines: Math.max(2, Math.min(LINES, linesBeside(shown))), shown };
}

/** The parts up to what a card can show. */
function shorten<P extends { text: string }>(parts: readonly P[]): P[] {
  let length = 0;
  return parts.flatMap((part) => {
    const left = STEP_SHOWN - length;
    length += part.text.length;
    return left <= 0 ? [] : [{ ...part, text: part.text.slice(0, left) }];
  });
}

/** An id once it has stayed for a moment; null before. */
function useSettled(id: string): string | null {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(id), READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return settled === id ? id : null;
}

type Wanted = Pick<PromptSummary, "model_id" | "persona_id" | "tool_categories" | "context_ids">;

/** What a prompt sets besides its text, one below the other; nothing where it leaves all as it is. */
function PromptFacts({ wanted }: { wanted: Wanted }) {
  const { modelId, modelName, persona, toolNames, knowledge } = useNames(wanted);
  if (modelId === null && persona === null && toolNames.length === 0 && knowledge.length === 0) return null;
  return (
    <dl className="mt-12 grid grid-cols-[auto_1fr] gap-x-12 gap-y-6 border-t border-line pt-12">
      {modelId !== null && (
        <Fact label="Model">
          <ModelTile id={modelId} name={modelName} /> {modelName}
        </Fact>
      )}
      {persona !== null && <Fact label="Persona">{persona}</Fact>}
      {toolNames.length > 0 && <Fact label="Tools">{toolNames.join(", ")}</Fact>}
      {knowledge.length > 0 && <Fact label="Knowledge">{knowledge.join(", ")}</Fact>}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="flex min-w-0 items-center gap-8 text-ink">{children}</dd>
    </>
  );
}

function useNames({ model_id: modelId, persona_id: personaId, tool_categories: tools, context_ids: contexts }: Wanted) {
  const modelName = useModelName(modelId);
  const { personas } = usePersonas();
  const categories = useCategories();
  const { entries } = useKnowledge(contexts !== null);
  return {
    modelId,
    modelName,
    /** What is gone has no name to be shown; using the prompt says so. */
    persona: personas.find(({ id }) => id === personaId)?.name ?? null,
    toolNames: tools?.map((id) => categories.find((category) => category.id === id)?.name ?? id) ?? [],
    knowledge: entries.filter(({ id }) => contexts?.includes(id)).map(({ name }) => name),
  };
}
