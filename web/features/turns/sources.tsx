import { useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { readKnowledgeAddress } from "#shared/knowledge-citations.ts";
import { listedSources } from "#shared/markdown/listed-sources.ts";
import PassageButton from "#web/features/passages/passage-button.tsx";

/** Chips that stand at once; the others are a press away. */
const SHOWN = 6;

const CHIP =
  "inline-flex h-26 max-w-240 items-center gap-8 rounded-6 bg-s3 pr-8 pl-4 text-ink2 transition-colors duration-120 hover:bg-s4 hover:text-ink touch:h-44 touch:px-12";

export type SourcesProps = Pick<Message, "citations"> & { text: string };

/** What an answer cites: numbered chips that lead to the pages. */
export function Sources({ text, citations }: SourcesProps) {
  const [isWhole, setIsWhole] = useState(false);
  const links = listedSources(text, citations);
  if (links.length === 0) return null;
  const shown = isWhole || links.length <= SHOWN + 1 ? links : links.slice(0, SHOWN);
  return (
    <div className="mt-12 flex flex-wrap items-center gap-6 text-13">
      <span className="mr-4 text-ink3">Sources</span>
      {shown.map(({ href, host, title, number }) => {
        const place = readKnowledgeAddress(href);
        const words = (
          <>
            <span className="inline-flex h-18 min-w-18 items-center justify-center rounded-6 bg-accent-soft px-4 text-12 font-medium text-accent-soft-ink tabular-nums">
              {number}
            </span>
            <span className="truncate">{host}</span>
          </>
        );
        if (place)
          return (
            <PassageButton key={number} place={place} title={title ?? host} label={`${number} ${host}`} className={CHIP}>
              {words}
            </PassageButton>
          );
        return (
          <a key={number} href={href} target="_blank" rel="noopener noreferrer nofollow" title={title ?? href} className={CHIP}>
            {words}
          </a>
        );
      })}
      {shown.length < links.length && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="inline-flex h-26 items-center rounded-6 px-8 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink touch:h-44"
        >
          {`${links.length - shown.length} more`}
        </button>
      )}
    </div>
  );
}
