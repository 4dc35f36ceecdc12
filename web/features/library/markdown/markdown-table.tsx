import type { Table, TableCell } from "mdast";
import { memo, use, useMemo, useRef, type RefObject, useEffect } from "react";
import { directionOf } from "#shared/markdown/direction.ts";
import { inlineText } from "#shared/markdown/inline-text.ts";
import { columnAlignments, columnLengths, rowsOfEqualLength } from "#shared/markdown/table-data.ts";
import { loadAfterFirstText } from "#web/lib/first-text.ts";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { AnswerTableContext } from "./contexts.ts";
import { Inline } from "./inline.tsx";
import { withIndexKeys } from "#web/lib/keyed.ts";
import { ScrollRegion } from "#web/ui/scroll-region.tsx";
import type { TableToolsProps } from "./table-tools.tsx";

const TableTools = lazyPart<TableToolsProps>(async () => (await loadAfterFirstText(() => import("./table-tools.tsx"))).TableTools);

/** Characters that a column has room for in a line before its table scrolls: squeezed further, rows grow high in tables that scroll all the same. */
const LINE = 16;

const alignments = { left: "text-left rtl:text-right", right: "text-right whitespace-nowrap tabular-nums", center: "text-center" };

/** A table that scrolls alone when it is too wide, with its tools. */
export function MarkdownTable({ node }: { node: Table }) {
  const frame = useRef<HTMLDivElement>(null);
  useTableMeasures(frame);
  const heads = (node.children[0]?.children ?? []).map(inlineText).filter(Boolean).join(", ");
  const label = heads ? `Table: ${heads}` : "Table";
  return (
    <div ref={frame} className="table-frame group/table relative isolate">
      <ScrollRegion label={label} className="overflow-x-auto [container-type:inline-size]">
        <AnswerTable node={node} />
      </ScrollRegion>
      <TableTools node={node} title={heads} label={label}>
        <TableView node={node} isLarge />
      </TableTools>
    </div>
  );
}

function AnswerTable({ node }: { node: Table }) {
  return use(AnswerTableContext)({ node, plain: <TableView node={node} /> });
}

function TableView({ node, isLarge = false }: { node: Table; isLarge?: boolean }) {
  const [head] = node.children;
  const joined = columnAlignments(node).join(" ");
  const columns = useMemo(() => joined.split(" "), [joined]);
  return (
    <table dir={directionOf(node)} className="w-full border-collapse text-14 wrap-break-word">
      <thead className={cx(isLarge && "sticky top-0 z-1 bg-s2 [--table-bg:var(--color-s2)]")}>
        {head && (
          <Row cells={head.children} columns={columns} widths={columnLengths(node, LINE).map(widthOf).join(" ")} isLarge={isLarge} />
        )}
      </thead>
      <tbody>
        {withIndexKeys(rowsOfEqualLength(node)).map(({ key, part: { cells, empty } }) => (
          <Row key={key} cells={cells} empty={empty.join(" ")} columns={columns} />
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
  cells: readonly TableCell[];
  /** How many columns each cell spans that is missing behind them; joined by spaces, so a finished row is not rendered again for an equal list. */
  empty?: string;
  /** How each column is aligned. */
  columns: readonly string[];
  /** Of the head alone, which makes the columns so wide; joined by spaces too. */
  widths?: string;
  isLarge?: boolean;
};

const Row = memo(function Row({ cells, empty = "", columns, widths: given, isLarge = false }: RowProps) {
  const isHead = given !== undefined;
  const atLeast = given?.split(" ") ?? [];
  return (
    <tr className={cx("border-b", isHead ? "border-line-strong" : "border-line")}>
      {withIndexKeys(cells).map(({ key, part: { children: nodes } }, index) => {
        const name = columns[index];
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
      {empty !== "" && withIndexKeys(empty.split(" ")).map(({ key, part: span }) => <Gap key={`empty ${key}`} span={Number(span)} />)}
    </tr>
  );
});

/** What a row lacks: a cell without a word. */
function Gap({ span }: { span: number }) {
  // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell is no control
  return <td colSpan={span} />;
}

/** Tells a table's styles (markdown.css) how far its head may go along its rows, leaving the last in sight (`--head-way`), and at which sides more of it can be scrolled to (`data-more`). */
function useTableMeasures(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = frame.current;
    const region = box?.firstElementChild;
    if (!box || !region) return undefined;
    const look = () => {
      const [shown, whole] = [region.getBoundingClientRect(), region.querySelector("table")?.getBoundingClientRect()];
      const sides = whole ? [whole.left < shown.left - 1 && "left", whole.right > shown.right + 1 && "right"] : [];
      box.dataset["more"] = sides.filter(Boolean).join(" ");
    };
    const measure = () => {
      const table = region.querySelector("table");
      const head = table?.tHead?.offsetHeight ?? 0;
      const last = table?.tBodies[0]?.lastElementChild?.clientHeight ?? 0;
      box.style.setProperty("--head-way", `${Math.max(0, (table?.offsetHeight ?? 0) - head - last)}px`);
      look();
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(region);
    region.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      region.removeEventListener("scroll", look);
    };
  }, [frame]);
}
