import { memo } from "react";
import type { FilledPart } from "#shared/library/prompt-template.ts";
import { TemplateText } from "./template-text.tsx";

/** What is sent, step by step, with what was filled in and what is still open marked. */
export const PromptPreview = memo(function PromptPreview({ steps }: { steps: readonly FilledPart[][] }) {
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
