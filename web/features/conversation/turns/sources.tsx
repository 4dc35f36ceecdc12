import { useState } from "react";
import type { Message } from "#shared/entities/message.ts";
import { readKnowledgeAddress } from "#shared/knowledge-citations.ts";
import { listedSources } from "#shared/markdown/listed-sources.ts";
import PassageButton from "#web/features/library/passages/passage-button.tsx";

/** Chips that stand at once; the others are a press away. */
const SHOWN = 6;

/** As high as a finger needs, around a chip that is not. */
const LINK = "group/chip inline-flex max-w-240 shrink-0 items-center rounded-6 touch:h-44";
const CHIP =
  "inline-flex h-26 min-w-0 items-center gap-8 rounded-6 bg-s3 pr-8 pl-4 text-ink2 transition-colors duration-120 group-hover/chip:bg-s4 group-hover/chip:text-ink touch:h-32 touch:px-8";

export type SourcesProps = Pick<Message, "citations"> & { text: string };

/** What an answer cites: numbered chips that lead to the pages, on phones in one line that scrolls. */
export function Sources({ text, citations }: SourcesProps) {
  const [showsAllSources, setIsWhole] = useState(false);
  const links = listedSources(text, citations);
  if (links.length === 0) return null;
  const shown = showsAllSources || links.length <= SHOWN + 1 ? links : links.slice(0, SHOWN);
  return (
    <div className="mt-12 flex flex-wrap items-center gap-6 text-13 touch:mt-6 touch:max-[599px]:-mx-16 touch:max-[599px]:flex-nowrap touch:max-[599px]:overflow-x-auto touch:max-[599px]:px-16 touch:max-[599px]:[scrollbar-width:none]">
      <span className="mr-4 shrink-0 text-ink3">Sources</span>
      {shown.map(({ href, host, title, number }) => {
        const place = readKnowledgeAddress(href);
        const sourceChip = (
          <span className={CHIP}>
            <span className="inline-flex h-18 min-w-18 shrink-0 items-center justify-center rounded-6 bg-accent-soft px-4 text-12 font-medium text-accent-soft-ink tabular-nums">
              {number}
            </span>
            <span className="truncate">{host}</span>
          </span>
        );
        if (place)
          return (
            <PassageButton key={number} place={place} title={title ?? host} label={`${number} ${host}`} className={LINK}>
              {sourceChip}
            </PassageButton>
          );
        return (
          <a key={number} href={href} target="_blank" rel="noopener noreferrer nofollow" title={title ?? href} className={LINK}>
            {sourceChip}
          </a>
        );
      })}
      {shown.length < links.length && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="inline-flex h-26 shrink-0 items-center rounded-6 px-8 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink touch:h-44"
        >
          {`${links.length - shown.length} more`}
        </button>
      )}
    </div>
  );
}
