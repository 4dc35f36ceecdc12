import type { Citation } from "#shared/entities/message.ts";
import { hostOf, safeUrl } from "#shared/markdown/safe-url.ts";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";

const CHIP =
  "ml-2 inline-flex h-17 min-w-17 items-center justify-center rounded-6 bg-accent-soft px-4 align-[1px] text-[11.5px] leading-none font-medium text-accent-soft-ink tabular-nums no-underline";

/** The number of a source in the text; it leads to the page and says its title. */
export function CitationChip({ number, citation }: { number: number; citation: Citation }) {
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
        className={`${CHIP} transition-colors duration-120 hover:bg-accent hover:text-accent-ink`}
      >
        {number}
      </a>
    </Tooltip>
  );
}
