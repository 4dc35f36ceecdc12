import type { List, ListItem, Paragraph, PhrasingContent, RootContent } from "mdast";
import { type ComponentType, memo, type ReactNode, useId } from "react";
import { directionOf } from "#shared/markdown/direction.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { CodeBlock } from "#web/features/library/markdown/code/code-block.tsx";
import { Formula } from "#web/features/library/markdown/formulas/formula.tsx";
import { Inline } from "./inline.tsx";
import { withIndexKeys } from "#web/lib/keyed.ts";
import { MarkdownTable } from "./markdown-table.tsx";
import { cx } from "#web/ui/cx.ts";
import { isLooseList } from "#shared/markdown/loose-list.ts";

/** What renders the blocks of an item; handed in, as those render lists in turn. */
type Blocks = ComponentType<{ nodes: readonly RootContent[]; open: boolean }>;

/** A list, nested ones included; a tight one sets its items' text without paragraphs. */
function MarkdownList({ node, open, Blocks }: { node: List; open: boolean; Blocks: Blocks }) {
  const isLoose = isLooseList(node);
  const items = withIndexKeys(node.children).map(({ key, part, isLast }) => (
    <Item key={key} item={part} isLoose={isLoose} open={open && isLast} Blocks={Blocks} />
  ));
  const spacing = isLoose ? "flex flex-col gap-8" : "flex flex-col gap-2";
  if (!node.ordered) {
    return (
      <ul dir={directionOf(node)} className={`${spacing} list-disc ps-22 marker:text-ink3`}>
        {items}
      </ul>
    );
  }
  const widest = String((node.start ?? 1) + node.children.length - 1).length;
  return (
    <ol
      dir={directionOf(node)}
      start={node.start ?? 1}
      className={`${spacing} list-decimal marker:text-ink3 marker:tabular-nums`}
      style={{ paddingInlineStart: Math.max(22, 13 + 9 * widest) }}
    >
      {items}
    </ol>
  );
}

interface ItemProps {
  item: ListItem;
  isLoose: boolean;
  open: boolean;
  Blocks: Blocks;
}

const Item = memo(function Item({ item, isLoose, open, Blocks }: ItemProps) {
  if (typeof item.checked === "boolean") return <TaskItem item={item} isLoose={isLoose} open={open} Blocks={Blocks} />;
  return (
    <li className="markdown-flow ps-2">
      <ItemContent nodes={item.children} isLoose={isLoose} open={open} Blocks={Blocks} />
    </li>
  );
});

interface ItemContentProps extends Omit<ItemProps, "item"> {
  nodes: readonly RootContent[];
}

function ItemContent({ nodes, isLoose, open, Blocks }: ItemContentProps) {
  if (isLoose) return <Blocks nodes={nodes} open={open} />;
  return withIndexKeys(nodes).map(({ key, part, isLast }) =>
    part.type === "paragraph" ? (
      <div key={key} dir="auto">
        <Inline nodes={part.children} />
      </div>
    ) : (
      <Blocks key={key} nodes={[part]} open={open && isLast} />
    ),
  );
}

function TaskItem({ item, isLoose, open, Blocks }: ItemProps) {
  const label = useId();
  const [first, ...rest] = item.children;
  return (
    <li className="-ms-22 flex list-none gap-8">
      <input
        type="checkbox"
        checked={item.checked ?? false}
        disabled
        aria-labelledby={label}
        className="mt-6 size-14 shrink-0 accent-accent"
      />
      <div className="markdown-flow min-w-0 flex-1">
        <div id={label}>{first && <ItemContent nodes={[first]} isLoose={isLoose} open={open} Blocks={Blocks} />}</div>
        <ItemContent nodes={rest} isLoose={isLoose} open={open} Blocks={Blocks} />
      </div>
    </li>
  );
}

const LEVEL_CLASSES = [
  "font-serif text-21 font-medium",
  "font-serif text-21",
  "font-serif text-18",
  "text-15 font-semibold",
  "text-14 font-semibold",
  "text-14 font-semibold text-ink2",
];

/** By level, from the second on. */
const tags = ["h2", "h3", "h4", "h5", "h6"] as const;

/** A heading: its look follows the markdown's depth (1 to 6), its level the page's outline. */
function Heading({ depth, level, children }: { depth: number; level?: number; children: ReactNode }) {
  const className = cx("markdown-heading text-balance", LEVEL_CLASSES[depth - 1]);
  const Tag = tags[(level ?? 0) - 2] ?? "p";
  return (
    <Tag dir="auto" className={className}>
      {children}
    </Tag>
  );
}

type DiagramProps = { source: string; open: boolean };

const Diagram = lazyPart<DiagramProps>(
  async () => (await import("#web/features/library/markdown/diagrams/diagram.tsx")).Diagram,
  DiagramSpace,
);

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
  return withIndexKeys(nodes).map(({ key, part, isLast }) => <BlockView key={`${key} ${part.type}`} node={part} open={open && isLast} />);
}

function ParagraphView({ node, frozen }: { node: Paragraph; frozen?: readonly (readonly PhrasingContent[])[] }) {
  const [only] = node.children;
  if (!frozen && node.children.length === 1 && only?.type === "inlineMath" && only.data?.display) {
    return <Formula source={only.value} display open={false} />;
  }
  return (
    <p dir="auto">
      {withIndexKeys(frozen ?? []).map(({ key, part }) => (
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
