import type { Table, TableRow } from "mdast";
import { memo } from "react";
import { directionOf } from "#shared/markdown/direction.ts";
import { inlineText } from "#shared/markdown/inline-text.ts";
import { columnAlignments, tableToCsv } from "#shared/markdown/table-data.ts";
import { cx } from "#web/ui/cx.ts";
import { CopyButton } from "./copy-button.tsx";
import { Inline } from "./inline.tsx";
import { keyed } from "./keyed.ts";
import { ScrollRegion } from "./scroll-region.tsx";

const alignments = { left: "text-left rtl:text-right", right: "text-right whitespace-nowrap tabular-nums", center: "text-center" };

/** A table that scrolls alone when it is too wide, with its data as CSV. */
export function MarkdownTable({ node }: { node: Table }) {
  const [head, ...rows] = node.children;
  const columns = columnAlignments(node).join(" ");
  const title = (head?.children ?? []).map(inlineText).filter(Boolean).join(", ");
  return (
    <div className="group/table">
      <ScrollRegion label={title ? `Table: ${title}` : "Table"} className="overflow-x-auto">
        <table dir={directionOf(node)} className="w-full border-collapse text-14 wrap-break-word">
          <thead>{head && <Row row={head} columns={columns} isHead />}</thead>
          <tbody>
            {keyed(rows).map(({ key, part }) => (
              <Row key={key} row={part} columns={columns} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <div className="-mb-12 flex h-24 items-center justify-end opacity-0 transition-opacity duration-120 group-focus-within/table:opacity-100 group-hover/table:opacity-100 touch:mb-0 touch:h-44 touch:opacity-100 print:hidden">
        <CopyButton label="Copy as CSV" name="Copy as CSV" text={() => tableToCsv(node)} />
      </div>
    </div>
  );
}

/** `columns` are the alignments joined by spaces, so that a finished row is not rendered again for an equal list. */
const Row = memo(function Row({ row, columns, isHead = false }: { row: TableRow; columns: string; isHead?: boolean }) {
  const names = columns.split(" ");
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
              "min-w-[6ch] px-12 py-6 align-top first:ps-0 last:pe-0",
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
