import { use } from "react";
import { CitationChip } from "./citation-chip.tsx";
import { CitationContext } from "./citation-context.ts";
import { splitCitations } from "#shared/markdown/citation-marks.ts";
import { keyed } from "#web/features/markdown/growing/keyed.ts";

/** Running text with its citation marks as numbered chips. */
export function CitedText({ text }: { text: string }) {
  const citations = use(CitationContext);
  if (citations.length === 0) return text;
  return keyed(splitCitations(text, citations.length)).map(({ key, part }) => {
    if ("text" in part) return part.text;
    const citation = citations[part.number - 1];
    return citation && <CitationChip key={key} number={part.number} citation={citation} />;
  });
}
