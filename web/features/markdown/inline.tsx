import type { PhrasingContent } from "mdast";
import { memo, use } from "react";
import { isLineBreak } from "#shared/markdown/inline-text.ts";
import { Formula } from "#web/features/markdown/formulas/formula.tsx";
import { ImageLink } from "./image-link.tsx";
import { keyed } from "#web/features/markdown/growing/keyed.ts";
import { MarkdownLink } from "./markdown-link.tsx";
import { ReferenceContext } from "./reference-context.ts";
import { CitationChip } from "./citation-chip.tsx";
import { CitationContext } from "./citation-context.ts";
import { splitCitations } from "#shared/markdown/citation-marks.ts";
import { FootnoteLink } from "./footnote-link.tsx";

const MAY_CITE = /[[【]\d/;

/** Running text; rendered again only when its nodes change. */
export const Inline = memo(function Inline({ nodes }: { nodes: readonly PhrasingContent[] }) {
  return keyed(nodes).map(({ key, part }) => {
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
  return keyed(splitCitations(text, citations.length)).map(({ key, part }) => {
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
