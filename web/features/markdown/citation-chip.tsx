import type { Citation } from "#shared/entities/message.ts";
import { readKnowledgeAddress } from "#shared/knowledge-citations.ts";
import { hostOf, safeUrl } from "#shared/markdown/safe-url.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";

const CHIP =
  "ml-2 inline-flex h-17 min-w-17 items-center justify-center rounded-6 bg-accent-soft px-4 align-[1px] text-[11.5px] leading-none font-medium text-accent-soft-ink tabular-nums no-underline";

const HOVER = "transition-colors duration-120 hover:bg-accent hover:text-accent-ink";

const PassageButton = lazyPart(async () => (await import("#web/features/passages/passage-button.tsx")).default);

/** The number of a source in the text; it leads to the page, or opens the passage, and says its title. */
export function CitationChip({ number, citation }: { number: number; citation: Citation }) {
  const place = readKnowledgeAddress(citation.url);
  if (place) {
    const title = citation.title ?? "Knowledge";
    return (
      <PassageButton place={place} title={title} label={`Source ${number}: ${title}`} className={`${CHIP} ${HOVER}`}>
        {number}
      </PassageButton>
    );
  }
  const href = safeUrl(citation.url);
  if (!href) return <span className={CHIP}>{number}</span>;
  const title = citation.title || (hostOf(href)?.replace(/^www\./, "") ?? href);
  return (
    <Tooltip label={title}>
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        aria-label={`Source ${number}: ${title}`}
        className={`${CHIP} ${HOVER}`}
      >
        {number}
      </a>
    </Tooltip>
  );
}
