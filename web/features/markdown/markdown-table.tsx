import type { Table, TableRow } from "mdast";
import { Maximize2 } from "lucide-react";
import { type ReactNode, memo, use, useRef, useState, type RefObject, useEffect } from "react";
import { directionOf } from "#shared/markdown/direction.ts";
import { inlineText } from "#shared/markdown/inline-text.ts";
import { columnAlignments, columnLengths, tableToCsv } from "#shared/markdown/table-data.ts";
import type { KeepProps } from "#web/features/artifacts/keep-as-artifact.tsx";
import { LegContext } from "#web/features/synthesis/leg-context.ts";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Inline } from "./inline.tsx";
import { keyed } from "#web/features/markdown/growing/keyed.ts";
import { ScrollRegion } from "./scroll-region.tsx";
import { ToolbarButton } from "./toolbar-button.tsx";

const KeepAsArtifact = lazyPart<KeepProps>(async () => (await import("#web/features/artifacts/keep-as-artifact.tsx")).KeepAsArtifact);

const StanceTable = lazyPart<StanceTableProps>(
  async () => (await import("#web/features/synthesis/stance-table.tsx")).StanceTable,
  // As high as the marks' legend makes it.
  ({ plain }) => <div className="pb-18">{plain}</div>,
);

type StanceTableProps = { node: Table; plain: ReactNode };

/** Characters that a column has room for in a line before its table scrolls: squeezed further, rows grow high in tables that scroll all the same. */
const LINE = 16;

const alignments = { left: "text-left rtl:text-right", right: "text-right whitespace-nowrap tabular-nums", center: "text-center" };

/** A table that scrolls alone when it is too wide, and can be seen larger; with its data as CSV. */
export function MarkdownTable({ node }: { node: Table }) {
  const [isLarge, setIsLarge] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useHeadWay(frame);
  const heads = (node.children[0]?.children ?? []).map(inlineText).filter(Boolean).join(", ");
  const label = heads ? `Table: ${heads}` : "Table";
  return (
    <div ref={frame} className="table-frame group/table relative isolate">
      <ScrollRegion label={label} className="scroll-shadow overflow-x-auto [container-type:inline-size]">
        <AnswerTable node={node} />
      </ScrollRegion>
      {/* Over the head's end and out of the way: it neither takes room nor a press before it is seen. */}
      <div className="table-tools pointer-events-none absolute end-0 top-0 z-1 flex items-center rounded-6 bg-bg opacity-0 transition-opacity duration-120 group-focus-within/table:pointer-events-auto group-focus-within/table:opacity-100 group-hover/table:pointer-events-auto group-hover/table:opacity-100 print:hidden">
        <ToolbarButton icon={Maximize2} label="Enlarge" name="Enlarge table" onClick={() => setIsLarge(true)} />
        <KeepAsArtifact look="tool" title={heads} text={() => tableToCsv(node)} language="csv" />
        <CopyButton label="Copy as CSV" name="Copy as CSV" text={() => tableToCsv(node)} />
      </div>
      <Dialog open={isLarge} onOpenChange={setIsLarge} title="Table" width={1_280} bare>
        <ScrollRegion label={label} className="markdown max-h-[80dvh] flex-1 overflow-auto px-24 pb-24 [container-type:inline-size]">
          <TableView node={node} isLarge />
        </ScrollRegion>
      </Dialog>
    </div>
  );
}

/** In a synthesis a table may say where its models stand. */
function AnswerTable({ node }: { node: Table }) {
  const plain = <TableView node={node} />;
  return use(LegContext).length > 0 ? <StanceTable node={node} plain={plain} /> : plain;
}

function TableView({ node, isLarge = false }: { node: Table; isLarge?: boolean }) {
  const [head, ...rows] = node.children;
  const columns = columnAlignments(node).join(" ");
  return (
    <table dir={directionOf(node)} className="w-full border-collapse text-14 wrap-break-word">
      <thead className={cx(isLarge && "sticky top-0 z-1 bg-s2 shadow-[inset_0_-1px_var(--color-line-strong)]")}>
        {head && <Row row={head} columns={columns} widths={columnLengths(node, LINE).map(widthOf).join(" ")} isLarge={isLarge} />}
      </thead>
      <tbody>
        {keyed(rows).map(({ key, part }) => (
          <Row key={key} row={part} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

/** How wide columns are at least: a line of their longest cell fits, up to 16 characters; within an answer three columns fit however narrow it is. */
const widths = {
  short: { inAnswer: "min-w-[6ch]", large: "min-w-[6ch]" },
  middle: { inAnswer: "min-w-[min(9ch_+_24px,33cqw)]", large: "min-w-[min(9ch_+_24px,80cqw)]" },
  long: { inAnswer: "min-w-[min(14ch_+_24px,33cqw)]", large: "min-w-[min(14ch_+_24px,80cqw)]" },
} as const;

function widthOf(length: number): keyof typeof widths {
  if (length < LINE / 2) return "short";
  return length < LINE ? "middle" : "long";
}

function widthClass(name: string | undefined, isLarge: boolean): string {
  const { inAnswer, large } = name === "long" || name === "middle" ? widths[name] : widths.short;
  return isLarge ? large : inAnswer;
}

type RowProps = {
  row: TableRow;
  /** The alignments joined by spaces, so a finished row is not rendered again for an equal list. */
  columns: string;
  /** Of the head alone, which makes the columns so wide; joined by spaces too. */
  widths?: string;
  isLarge?: boolean;
};

const Row = memo(function Row({ row, columns, widths: given, isLarge = false }: RowProps) {
  const isHead = given !== undefined;
  const names = columns.split(" ");
  const atLeast = given?.split(" ") ?? [];
  return (
    <tr className={cx("border-b", isHead ? "border-line-strong" : "border-line")}>
      {keyed(names).map(({ key, part: name }, index) => {
        const nodes = row.children[index]?.children ?? [];
        // A corner without a word heads nothing.
        const isHeader = isHead && nodes.length > 0;
        const Cell = isHeader ? "th" : "td";
        return (
          <Cell
            key={key}
            scope={isHeader ? "col" : undefined}
            className={cx(
              widthClass(atLeast[index], isLarge),
              "px-12 py-6 align-top first:ps-0 last:pe-0",
              isHead && "text-13 leading-19 font-normal text-ink2",
              name === "right" ? alignments.right : name === "center" ? alignments.center : alignments.left,
            )}
            dir="auto"
          >
            <Inline nodes={nodes} />
          </Cell>
        );
      })}
    </tr>
  );
});

/** Tells a table's styles how far its head may go along its rows (`--head-way`, markdown.css), leaving the last in sight. */
function useHeadWay(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = frame.current;
    const table = box?.querySelector("table");
    if (!box || !table) return undefined;
    const measure = () => {
      const head = table.tHead?.offsetHeight ?? 0;
      const last = table.tBodies[0]?.lastElementChild?.clientHeight ?? 0;
      box.style.setProperty("--head-way", `${Math.max(0, table.offsetHeight - head - last)}px`);
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(table);
    return () => sizes.disconnect();
  }, [frame]);
}
