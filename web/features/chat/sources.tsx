import type { Message } from "#shared/entities/message.ts";

/** What an answer cites: numbered chips that lead to the pages. */
export function Sources({ citations }: { citations: Message["citations"] }) {
  const links = citations.filter(({ url }) => /^https?:\/\//i.test(url));
  if (links.length === 0) return null;
  return (
    <div className="mt-12 flex flex-wrap items-center gap-6 text-13">
      <span className="mr-4 text-ink3">Sources</span>
      {links.map(({ url, title }, index) => (
        <a
          key={url}
          href={url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          title={title ?? url}
          className="inline-flex h-26 max-w-240 items-center gap-8 rounded-6 bg-s3 pr-8 pl-4 text-ink2 transition-colors duration-120 hover:bg-s4 hover:text-ink touch:h-44 touch:px-12"
        >
          <span className="inline-flex h-18 min-w-18 items-center justify-center rounded-6 bg-accent-soft px-4 text-12 font-medium text-accent-soft-ink tabular-nums">
            {index + 1}
          </span>
          <span className="truncate">{hostOf(url)}</span>
        </a>
      ))}
    </div>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : url;
}
