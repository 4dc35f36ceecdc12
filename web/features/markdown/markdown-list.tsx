import type { List, ListItem, RootContent } from "mdast";
import { type ComponentType, memo, useId } from "react";
import { directionOf } from "#shared/markdown/direction.ts";
import { isLooseList } from "#shared/markdown/loose-list.ts";
import { Inline } from "./inline.tsx";
import { keyed } from "#web/features/markdown/growing/keyed.ts";

/** What renders the blocks of an item; handed in, as those render lists in turn. */
type Blocks = ComponentType<{ nodes: readonly RootContent[]; open: boolean }>;

/** A list, nested ones included; a tight one sets its items' text without paragraphs. */
export function MarkdownList({ node, open, Blocks }: { node: List; open: boolean; Blocks: Blocks }) {
  const isLoose = isLooseList(node);
  const items = keyed(node.children).map(({ key, part, isLast }) => (
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
  return keyed(nodes).map(({ key, part, isLast }) =>
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
