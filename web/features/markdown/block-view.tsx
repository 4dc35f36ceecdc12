import type { Paragraph, PhrasingContent, RootContent } from "mdast";
import { memo } from "react";
import { directionOf } from "#shared/markdown/direction.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { CodeBlock } from "#web/features/markdown/code/code-block.tsx";
import { Formula } from "#web/features/markdown/formulas/formula.tsx";
import { Heading } from "./heading.tsx";
import { Inline } from "./inline.tsx";
import { keyed } from "#web/features/markdown/growing/keyed.ts";
import { MarkdownList } from "./markdown-list.tsx";
import { MarkdownTable } from "./markdown-table.tsx";

type DiagramProps = { source: string; open: boolean };

const Diagram = lazyPart<DiagramProps>(async () => (await import("#web/features/markdown/diagrams/diagram.tsx")).Diagram, DiagramSpace);

interface BlockViewProps {
  node: RootContent;
  /** Finished pieces of a long paragraph, which come first. */
  frozen?: readonly (readonly PhrasingContent[])[];
  /** A heading's level; those inside other blocks have none, as they head no part of the page. */
  level?: number;
  /** True while more text may still arrive in this block. */
  open: boolean;
}

/** One block of markdown; rendered again only when its node changes. */
export const BlockView = memo(function BlockView({ node, frozen, level, open }: BlockViewProps) {
  switch (node.type) {
    case "paragraph":
      return <ParagraphView node={node} frozen={frozen} />;
    case "heading":
      return (
        <Heading depth={node.depth} level={level}>
          <Inline nodes={node.children} />
        </Heading>
      );
    case "list":
      return <MarkdownList node={node} open={open} Blocks={BlockViews} />;
    case "table":
      return <MarkdownTable node={node} />;
    case "code":
      return node.lang === "mermaid" ? (
        <Diagram source={node.value} open={open && !node.data?.closed} />
      ) : (
        <CodeBlock code={node.value} info={node.lang ?? ""} open={open && !node.data?.closed} />
      );
    case "math":
      return <Formula source={node.value} display open={open && !node.data?.closed} />;
    case "blockquote":
      return (
        <blockquote dir={directionOf(node)} className="markdown-flow border-s-2 border-line ps-14 text-ink2">
          <BlockViews nodes={node.children} open={open} />
        </blockquote>
      );
    case "thematicBreak":
      return <hr className="border-line" />;
    case "html":
      return (
        <p dir="auto" className="whitespace-pre-wrap">
          {node.value}
        </p>
      );
    default:
      return null;
  }
});

/** The blocks inside another one; only the last can still be growing. */
export function BlockViews({ nodes, open }: { nodes: readonly RootContent[]; open: boolean }) {
  return keyed(nodes).map(({ key, part, isLast }) => <BlockView key={`${key} ${part.type}`} node={part} open={open && isLast} />);
}

function ParagraphView({ node, frozen }: { node: Paragraph; frozen?: readonly (readonly PhrasingContent[])[] }) {
  const [only] = node.children;
  if (!frozen && node.children.length === 1 && only?.type === "inlineMath" && only.data?.display) {
    return <Formula source={only.value} display open={false} />;
  }
  return (
    <p dir="auto">
      {keyed(frozen ?? []).map(({ key, part }) => (
        <Inline key={key} nodes={part} />
      ))}
      <Inline nodes={node.children} />
    </p>
  );
}

/** As high as a diagram, whose code is on its way. */
function DiagramSpace({ source }: DiagramProps) {
  return (
    <div className="overflow-clip rounded-12 border border-line bg-s2">
      <div className="h-34 border-b border-line touch:h-44" />
      <pre className="h-300 overflow-hidden px-14 py-10 font-mono text-13">
        <code>{source}</code>
      </pre>
    </div>
  );
}
