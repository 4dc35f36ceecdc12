import type { ReactNode } from "react";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { CitationContext, NO_CITATIONS } from "./citation-context.ts";
import { AS_TEXT, ImageContext } from "./image-context.ts";

/** A link to elsewhere, in a new tab; an address that may not be a link leaves its text alone. */
export function MarkdownLink({ url, title, children }: { url: string; title?: string | null; children: ReactNode }) {
  const href = safeUrl(url);
  if (!href) return children;
  return (
    <a
      href={href}
      title={title ?? undefined}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="rounded-[2px] text-accent underline decoration-accent/40 decoration-1 underline-offset-3 transition-colors duration-120 hover:decoration-accent"
    >
      <Within>{children}</Within>
    </a>
  );
}

/** Nothing in a link is a link or a button of its own. */
function Within({ children }: { children: ReactNode }) {
  return (
    <CitationContext value={NO_CITATIONS}>
      <ImageContext value={AS_TEXT}>{children}</ImageContext>
    </CitationContext>
  );
}
