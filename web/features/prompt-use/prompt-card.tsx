import { CornerDownRight } from "lucide-react";
import { useEffect, useState } from "react";
import { parsePrompt, parseTemplate } from "#shared/library/prompt-template.ts";
import { TeamBadge } from "#web/features/sharing/team-badge.tsx";
import { Kbd } from "#web/ui/kbd.tsx";
import type { PickerDetailsProps } from "#web/ui/picker/picker-kind.ts";
import type { PromptItem } from "./prompt-item.ts";
import { PromptFacts } from "./prompt-facts.tsx";
import { TemplateText } from "./template-text.tsx";
import { useGlance } from "./read-prompt.ts";

/** How long a prompt is highlighted before all of it is read, in milliseconds: less than a glance, more than a key in passing. */
const READ_AFTER_MS = 120;
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
      {item.kind === "prompt" ? <Content item={item} /> : <p>{item.about}</p>}
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

function Content({ item: { id, prompt } }: { item: Extract<PromptItem, { kind: "prompt" }> }) {
  const full = useGlance(useSettled(id));
  // The beginning that the list has is all there is of most.
  const steps = full?.id === id ? parsePrompt(full.content) : [parseTemplate(prompt.preview)];
  const [first = [], ...others] = steps.map((parts) => shorten(parts));
  return (
    <>
      <p className="line-clamp-6 break-words whitespace-pre-wrap" dir="auto">
        <TemplateText parts={first} />
      </p>
      {others.slice(0, 3).map((parts, index) => (
        <p key={`step ${index + 2}`} className="mt-8 flex gap-8">
          <CornerDownRight aria-hidden className="mt-2 size-14 shrink-0" />
          <span className="line-clamp-2 break-words" dir="auto">
            <TemplateText parts={parts} />
          </span>
        </p>
      ))}
      {others.length > 3 && <p className="mt-8 ml-22">{`and ${others.length - 3} more steps`}</p>}
      <PromptFacts wanted={prompt} />
    </>
  );
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
