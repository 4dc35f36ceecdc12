import { BookOpenText } from "lucide-react";
import type { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import { knowledgeUseText } from "./knowledge-use-text.ts";

export type KnowledgeLineProps = { look: KnowledgeLook };

/** What an answer's turn looked into of the chat's knowledge, and what it found there. */
export function KnowledgeLine({ look }: KnowledgeLineProps) {
  const { summary, details } = knowledgeUseText(look);
  return (
    <details className="text-13 text-ink3">
      <summary className="flex min-h-20 cursor-pointer items-start gap-6 touch:min-h-44 touch:items-center">
        <BookOpenText aria-hidden className="mt-3 size-14 shrink-0 touch:mt-0" />
        <span className="min-w-0">{summary}</span>
      </summary>
      <ul className="mt-4 ml-20 list-disc pl-12">
        {details.map((line) => (
          <li key={line} className="break-words">
            {line}
          </li>
        ))}
      </ul>
    </details>
  );
}
