import type { PhrasingContent } from "mdast";
import { memo, type ReactNode, use, useState } from "react";
import { isLineBreak } from "#shared/markdown/inline-text.ts";
import { Formula } from "#web/features/library/markdown/formulas/formula.tsx";
import { withIndexKeys } from "#web/lib/keyed.ts";
import { ReferenceContext, CitationContext, NO_CITATIONS, AS_TEXT, ImageContext } from "./contexts.ts";
import { splitCitations } from "#shared/markdown/citation-marks.ts";
import { FootnoteLink } from "./footnote-link.tsx";
import { hostOf, safeUrl } from "#shared/markdown/safe-url.ts";
import type { Citation } from "#shared/entities/message.ts";
import { readKnowledgeAddress } from "#shared/knowledge-citations.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { IMAGE_LABEL, ImageLabel } from "./image-label.tsx";
import type { RemoteImageProps } from "./remote-image.tsx";
import PassageButton from "#web/features/library/passages/passage-button.tsx";

const RemoteImage = lazyPart<RemoteImageProps>(
  async () => (await import("./remote-image.tsx")).RemoteImage,
  ({ name, href }) => (
    <span className={IMAGE_LABEL}>
      <ImageLabel verb="Loading image:" name={name} host={hostOf(href)} />
    </span>
  ),
);

/** A picture that was uploaded to an artifact. */
const OWN_PICTURE = /^\/api\/artifacts\/[0-9a-f-]{36}\/files\/[0-9a-f-]{36}$/;

/** Stands for an image: nothing is loaded from elsewhere by itself, so it names its host and is shown when that is wanted. */
function ImageLink({ url, alt }: { url: string; alt?: string | null }) {
  const image = use(ImageContext);
  const [isWanted, setIsWanted] = useState(false);
  const href = safeUrl(url);
  const name = alt?.trim() || "Image";
  if (image.kind === "artifact" && OWN_PICTURE.test(url)) {
    return <img src={url} alt={name} loading="lazy" className="max-h-480 max-w-full rounded-8 bg-s3" />;
  }
  if (!href) return name;
  const host = hostOf(href);
  if (image.kind === "text") {
    return (
      <span className={IMAGE_LABEL}>
        <ImageLabel verb="Image:" name={name} host={host} />
      </span>
    );
  }
  if (image.kind !== "message" || host === undefined) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={`${IMAGE_LABEL} hover:bg-s4`}>
        <ImageLabel verb="Image:" name={name} host={host} />
      </a>
    );
  }
  if (isWanted) return <RemoteImage chatId={image.chatId} messageId={image.messageId} url={url} href={href} name={name} />;
  return (
    <button type="button" title={href} onClick={() => setIsWanted(true)} className={`${IMAGE_LABEL} hover:bg-s4 touch:min-h-44`}>
      <ImageLabel verb="Show image:" name={name} host={host} />
    </button>
  );
}

const CHIP =
  "ml-2 inline-flex h-17 min-w-17 items-center justify-center rounded-6 bg-accent-soft px-4 align-[1px] text-[11.5px] leading-none font-medium text-accent-soft-ink tabular-nums no-underline";

const HOVER = "transition-colors duration-120 hover:bg-accent hover:text-accent-ink";

/** The number of a source in the text; it leads to the page, or opens the passage, and says its title. */
function CitationChip({ number, citation }: { number: number; citation: Citation }) {
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

const MAY_CITE = /[[【]\d/;

/** Running text; rendered again only when its nodes change. */
export const Inline = memo(function Inline({ nodes }: { nodes: readonly PhrasingContent[] }) {
  return withIndexKeys(nodes).map(({ key, part }) => {
    if (part.type !== "text") return <InlineNode key={key} node={part} />;
    return MAY_CITE.test(part.value) ? <CitedText key={key} text={part.value} /> : part.value;
  });
});

function InlineNode({ node }: { node: PhrasingContent }) {
  const { definitions } = use(ReferenceContext);
  switch (node.type) {
    case "strong":
      return (
        <strong className="font-semibold">
          <Inline nodes={node.children} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Inline nodes={node.children} />
        </em>
      );
    case "delete":
      return (
        <del className="text-ink3">
          <Inline nodes={node.children} />
        </del>
      );
    case "inlineCode":
      return <code className="rounded-6 bg-s3 box-decoration-clone px-4 py-2 font-mono text-[0.84em]">{node.value}</code>;
    case "break":
      return <br />;
    case "html":
      return isLineBreak(node.value) ? <br /> : node.value;
    case "inlineMath":
      return <Formula source={node.value} display={node.data?.display ?? false} open={false} />;
    case "link":
      return (
        <MarkdownLink url={node.url} title={node.title}>
          <Inline nodes={node.children} />
        </MarkdownLink>
      );
    case "linkReference": {
      const definition = definitions.get(node.identifier);
      return (
        <MarkdownLink url={definition?.url ?? ""} title={definition?.title}>
          <Inline nodes={node.children} />
        </MarkdownLink>
      );
    }
    case "image":
      return <ImageLink url={node.url} alt={node.alt} />;
    case "imageReference":
      return <ImageLink url={definitions.get(node.identifier)?.url ?? ""} alt={node.alt} />;
    case "footnoteReference":
      return <FootnoteCall identifier={node.identifier} label={node.label ?? node.identifier} />;
    default:
      return null;
  }
}

/** Running text with its citation marks as numbered chips. */
function CitedText({ text }: { text: string }) {
  const citations = use(CitationContext);
  if (citations.length === 0) return text;
  return withIndexKeys(splitCitations(text, citations.length)).map(({ key, part }) => {
    if ("text" in part) return part.text;
    const citation = citations[part.number - 1];
    return citation && <CitationChip key={key} number={part.number} citation={citation} />;
  });
}

/** The number in the text that leads to a footnote. */
function FootnoteCall({ identifier, label }: { identifier: string; label: string }) {
  const { footnotes, idPrefix } = use(ReferenceContext);
  const number = footnotes.findIndex((footnote) => footnote.identifier === identifier) + 1;
  if (number === 0) return `[^${label}]`;
  return (
    <sup className="text-[0.72em] leading-none">
      <FootnoteLink to={`${idPrefix}note-${number}`} id={`${idPrefix}call-${number}`} name={`Footnote ${number}`}>
        {number}
      </FootnoteLink>
    </sup>
  );
}

/** A link to elsewhere, in a new tab; an address that may not be a link leaves its text alone. */
function MarkdownLink({ url, title, children }: { url: string; title?: string | null; children: ReactNode }) {
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
